import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serverFolders } from '@wharf/cli/settings/server-folders.ts'
import { isCheckout, stateFolder } from '@wharf/platform/installation.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const unit = readFileSync(join(root, 'packaging/wharf.service'), 'utf8')

function unitWarnings(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-unit-'))
  const file = join(folder, 'wharf.service')
  writeFileSync(file, text)
  const { stdout, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  return `${stdout}${stderr}`
}

test('systemd accepts the unit when Wharf is installed in its path', () => {
  assert.match(unit, /^ExecStart=\/opt\/wharf\/bin\/wharf-server$/m)
  assert.equal(unitWarnings(unit.replace('=/opt/wharf/bin', `=${root}bin`)), '')
})

test('systemd reports an unknown setting', () => {
  assert.match(unitWarnings(unit.replace('=/opt/wharf/bin', `=${root}bin`).replace('KillMode', 'KillMood')), /KillMood/)
})

/** Protects data from other users, and the system from installed packages. */
const hardening = {
  LimitCORE: /^0$/,
  CoredumpFilter: /^elf-headers$/,
  NoNewPrivileges: /^yes$/,
  PrivateTmp: /^yes$/,
  ProtectSystem: /^(full|strict)$/,
  ProtectHome: /^(read-only|yes)$/,
  RestrictSUIDSGID: /^yes$/,
  CapabilityBoundingSet: /^CAP_NET_BIND_SERVICE$/,
  UMask: /^0077$/,
  StateDirectoryMode: /^0700$/,
}
for (const [name, value] of Object.entries(hardening))
  test(`the unit sets ${name}`, () => {
    const set = [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1])
    assert.equal(set.length, 1)
    assert.match(set[0] ?? '', value)
  })

test('systemd rates the unit as well protected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-unit-'))
  const file = join(folder, 'wharf.service')
  writeFileSync(file, unit)
  const { stdout, error } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  const exposure = Number(/exposure level for wharf\.service: ([\d.]+)/.exec(stdout)?.[1])
  assert.ok(exposure < 5, stdout)
})

test('bin/wharf-server leaves no core file', () => {
  const script = readFileSync(join(root, 'bin/wharf-server'), 'utf8')
  assert.match(script, /^ulimit -c 0\nexec /m)
})

test('the unit has a cache folder for compiled code, since the server cannot write to the installed files', () => {
  assert.match(unit, /^CacheDirectory=wharf$/m)
  assert.match(unit, /^Environment=NODE_COMPILE_CACHE=\/var\/cache\/wharf$/m)
})

test('server and CLI use the same data folder: below a checkout, otherwise in the state folder of the user', (t) => {
  const installed = mkdtempSync(join(tmpdir(), 'wharf-installed-'))
  t.after(() => rmSync(installed, { recursive: true }))
  assert.deepEqual([isCheckout(root), isCheckout(installed)], [true, false])
  const home = homedir()
  const usual = join(home, '.local/state/wharf')
  for (const [env, folder] of [
    [{}, usual],
    [{ XDG_STATE_HOME: '/srv/state' }, '/srv/state/wharf'],
    [{ XDG_STATE_HOME: 'not/absolute' }, usual],
    [{ XDG_STATE_HOME: '' }, usual],
  ] as const) {
    assert.equal(stateFolder(env), folder)
    assert.deepEqual(serverFolders(installed, { env, home }), [folder, '/var/lib/wharf'])
    assert.deepEqual(serverFolders(root, { env, home }), [join(root, 'data'), '/var/lib/wharf'])
  }
  mkdirSync(join(installed, 'scripts'))
  writeFileSync(join(installed, 'scripts/ensure.cjs'), '')
  assert.equal(isCheckout(installed), true)
  assert.equal(serverFolders(installed, { env: {}, home })[0], join(installed, 'data'))
})

test('the tarball contains no scripts, which distinguishes it from a checkout', () => {
  const included = /const included = \[([^\]]*)\]/.exec(
    readFileSync(join(root, 'scripts/pack-offline.ts'), 'utf8'),
  )?.[1]
  assert.match(included ?? '', /'bin'/)
  assert.doesNotMatch(included ?? '', /'scripts/)
})
