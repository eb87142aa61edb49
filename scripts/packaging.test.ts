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

function complaints(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-unit-'))
  const file = join(folder, 'wharf.service')
  writeFileSync(file, text)
  const { stdout, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  return `${stdout}${stderr}`
}

test('systemd takes the unit as it is, once Wharf is where it says', () => {
  assert.match(unit, /^ExecStart=\/opt\/wharf\/bin\/wharf-server$/m)
  assert.equal(complaints(unit.replace('=/opt/wharf/bin', `=${root}bin`)), '')
})

test('systemd would complain of a word it does not know', () => {
  assert.match(complaints(unit.replace('=/opt/wharf/bin', `=${root}bin`).replace('KillMode', 'KillMood')), /KillMood/)
})

/** What others on the machine must not see, and what a package that is installed on it must not change. */
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

test('systemd gives the server a folder for what Node compiles, as the installed files are not its own', () => {
  assert.match(unit, /^CacheDirectory=wharf$/m)
  assert.match(unit, /^Environment=NODE_COMPILE_CACHE=\/var\/cache\/wharf$/m)
})

test('server and command agree on where the data is: in a checkout below it, else where the user keeps state', (t) => {
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

test('the tarball carries no scripts, by which it is told from a checkout', () => {
  const carried = /const carried = \[([^\]]*)\]/.exec(readFileSync(join(root, 'scripts/pack-offline.ts'), 'utf8'))?.[1]
  assert.match(carried ?? '', /'bin'/)
  assert.doesNotMatch(carried ?? '', /'scripts/)
})
