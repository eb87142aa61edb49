import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { assertFailure, gzipped, installable, PackageFixture, recordIn, tusPatch } from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives/tar-builder.ts'
import { clusterPackage } from '@wharf/testkit/packages/cluster-package.ts'

const fixture = await PackageFixture.start({ after })
const { source, folder } = fixture
const md5 = (bytes: Buffer): string => hash('md5', bytes, 'hex')
let count = 0
/** A folder of its own for each test. */
const newFolder = (): string => {
  const path = join(folder, `t${count++}`)
  mkdirSync(path)
  return path
}

/** Damage of a program by a power loss or by an operator. */
const damages: Record<string, (program: string) => void> = {
  empty: (program) => writeFileSync(program, ''),
  shorter: (program) => writeFileSync(program, '#!/bin/sh\n'),
  'of the same size but different': (program) => writeFileSync(program, Buffer.alloc(readFileSync(program).length)),
  missing: (program) => rmSync(program),
}
for (const [name, damage] of Object.entries(damages))
  test(`a program that is ${name} is not run, and nothing is installed`, async () => {
    const installPath = join(newFolder(), 'demo.tar')
    const url = source.serve('damaged.tar', installable({ hooks: { install: 'cat >installed' } }))
    const { uuid, unzipInstallPath } = recordIn(await fixture.upload({ url, installPath }))
    damage(join(String(unzipInstallPath), 'install.sh'))
    assertFailure(await fixture.install(uuid), { status: 502, code: 'SoftwarePackage.1300', details: 'is damaged' })
    assert.equal((await fixture.get(uuid)).status, 'InstallFailed')
    assert.ok(!existsSync(join(String(unzipInstallPath), 'installed')))
  })

for (const run of [['./install.sh'], ['sh', '-eu', 'install.sh']])
  test(`a package whose hook runs an empty program as ${run.join(' ')} is refused and leaves nothing`, async () => {
    const at = newFolder()
    const manifest = JSON.stringify({ name: 'demo', version: '1', type: 'demo', install: { run } })
    const bytes = tarOf(file('wharf.json', manifest), file('install.sh', ''))
    const answer = await fixture.upload({ url: source.serve('hollow.tar', bytes), installPath: join(at, 'hollow.tar') })
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132', details: 'which is empty' })
    assert.deepEqual(readdirSync(at), [])
  })

test('a hook may change files that other hooks read, but not a script that they run', async () => {
  const manifest = {
    ...{ name: 'demo', version: '1', type: 'demo' },
    install: { run: ['sh', 'install.sh', 'state.json'] },
    verify: { run: ['./verify.sh', 'state.json'] },
    uninstall: { run: ['sh', '-eu', 'uninstall.sh', './state.json'] },
  }
  const bytes = tarOf(
    file('wharf.json', JSON.stringify(manifest)),
    file('install.sh', 'echo \'{"port":80}\' >"$1"'),
    { ...file('verify.sh', '#!/bin/sh\ngrep port "$1"\n'), mode: 0o755 },
    file('uninstall.sh', 'grep port "$1"; rm "$1"'),
    file('state.json', '{}'),
  )
  const url = source.serve('stateful.tar', bytes)
  const { uuid, unzipInstallPath } = recordIn(
    await fixture.upload({ url, installPath: join(newFolder(), 'stateful.tar') }),
  )
  const installed = await fixture.install(uuid)
  assert.equal(installed.status, 200, installed.text)
  const script = join(String(unzipInstallPath), 'uninstall.sh')
  const text = readFileSync(script)
  writeFileSync(script, '')
  assertFailure(await fixture.uninstall(uuid), { status: 502, code: 'SoftwarePackage.1300', details: 'is damaged' })
  writeFileSync(script, text)
  const uninstalled = await fixture.uninstall(uuid)
  assert.equal(uninstalled.status, 200, uninstalled.text)
  assert.ok(!existsSync(join(String(unzipInstallPath), 'state.json')))
})

test('a package is uploaded from a URL, installed, uninstalled and deleted', async () => {
  const at = newFolder()
  const bytes = gzipped(
    installable({
      hooks: {
        install: 'cat >installed; echo "::progress 40 half"; echo hello; env | sort >environment',
        verify: 'test -s installed',
        uninstall: 'rm installed',
      },
    }),
  )
  const installPath = join(at, 'new/er/demo.tar.gz')
  const uploaded = await fixture.upload({ url: source.serve('demo.tar.gz', bytes), installPath })
  assert.equal(uploaded.status, 200, uploaded.text)
  const record = recordIn(uploaded)
  const unzipInstallPath = `${installPath}_${md5(bytes)}`
  const { hostUuid, managementNodeUuid } = fixture.server.bootstrap
  assert.deepEqual(
    { ...record, uuid: '', createDate: '', lastOpDate: '' },
    {
      uuid: '',
      name: 'demo',
      hostUuid,
      managementNodeUuid,
      installPath,
      unzipInstallPath,
      type: 'demo',
      md5sum: md5(bytes),
      status: 'Uploaded',
      size: bytes.length,
      backupStorageUuid: null,
      version: '1.0.0',
      releaseUuid: null,
      health: null,
      healthError: null,
      lastVerifiedDate: null,
      createDate: '',
      lastOpDate: '',
    },
  )
  assert.deepEqual(readdirSync(join(at, 'new/er')).sort(), ['demo.tar.gz', `demo.tar.gz_${md5(bytes)}`])
  assert.ok(readFileSync(installPath).equals(bytes))

  const installed = await fixture.install(record.uuid, { colour: 'blue' })
  assert.deepEqual([installed.status, installed.body], [200, {}], installed.text)
  assert.deepEqual(JSON.parse(readFileSync(join(unzipInstallPath, 'installed'), 'utf8')), {
    config: { colour: 'blue' },
  })
  const names = readFileSync(join(unzipInstallPath, 'environment'), 'utf8').match(/^\w+(?==)/gm)
  assert.deepEqual(
    names?.filter((name) => !['_', 'PWD', 'OLDPWD', 'SHLVL'].includes(name)),
    ['HOME', 'LANG', 'PATH', 'WHARF_JOB_UUID', 'WHARF_PACKAGE_DIR'],
  )
  assert.equal((await fixture.get(record.uuid)).status, 'Installed')
  assertFailure(await fixture.install(record.uuid), {
    status: 409,
    code: 'SYS.1005',
    details: 'Uploaded or InstallFailed',
  })

  assert.equal(recordIn(await fixture.uninstall(record.uuid)).status, 'Uploaded')
  assert.ok(!existsSync(join(unzipInstallPath, 'installed')))
  assert.equal((await fixture.admin.delete(`/v1/software-package/${record.uuid}`)).status, 200)
  assert.deepEqual(readdirSync(join(at, 'new/er')), [])
  assert.equal((await fixture.admin.get(`/v1/software-package/${record.uuid}`)).status, 404)
})

test('the last slice starts the job, and no byte is copied', async () => {
  const at = newFolder()
  const bytes = installable()
  const url = `upload://demo.tar?size=${bytes.length}&md5=${md5(bytes)}`
  const started = await fixture.upload({ url, installPath: join(at, 'demo.tar') })
  assert.equal(started.status, 200, started.text)
  const { uuid, status, size } = recordIn(started)
  assert.deepEqual([status, size], ['Uploading', 0])
  const [tag = ''] = started.body.systemTags as string[]
  const address = tag.replace(/^uploadUrl::/, '')
  assert.equal((await tusPatch(address, 0, bytes)).status, 204)
  const record = await fixture.waitUntil(uuid, ({ status }) => status !== 'Uploading')
  assert.deepEqual([record.status, record.md5sum, record.size], ['Uploaded', md5(bytes), bytes.length])
  assert.equal((await fixture.install(uuid)).status, 200)
})

test('a file below the roots is uploaded, a file outside of them is refused', async () => {
  const at = newFolder()
  writeFileSync(join(at, 'a.tar'), installable())
  const done = await fixture.upload({ url: `file://${at}/a.tar`, installPath: join(at, 'b.tar') })
  assert.equal(done.status, 200, done.text)
  assertFailure(await fixture.upload({ url: 'file:///etc/hostname', installPath: join(at, 'c') }), {
    status: 400,
    code: 'SYS.1007',
  })
})

test('a package on backup storage is installed on a host', async () => {
  const bytes = installable({ hooks: { install: 'cat >/dev/null; pwd', uninstall: 'pwd' } })
  const stored = await fixture.toStorage({ url: source.serve('s.tar', bytes), installPath: 'apps/s.tar' })
  assert.equal(stored.status, 200, stored.text)
  const { uuid, hostUuid, unzipInstallPath, installPath } = recordIn(stored)
  assert.deepEqual([hostUuid, unzipInstallPath, installPath], [null, null, 'apps/s.tar'])
  assertFailure(await fixture.install(uuid), { status: 400, code: 'SYS.1007', details: 'hostUuid' })
  const onHost = await fixture.install(uuid, { hostUuid: fixture.server.bootstrap.hostUuid })
  assert.equal(onHost.status, 200, onHost.text)
  const { unzipInstallPath: unpacked, hostUuid: installedOn } = await fixture.get(uuid)
  assert.equal(installedOn, fixture.server.bootstrap.hostUuid)
  const after = recordIn(await fixture.uninstall(uuid))
  assert.deepEqual([after.status, after.hostUuid, after.unzipInstallPath], ['Uploaded', null, null])
  assert.ok(unpacked !== null && !existsSync(dirname(unpacked)))
})

test('a path on backup storage is returned as it was sent, found with and without its slash, and unique', async () => {
  const url = source.serve('slash.tar', installable())
  const uuids: Record<string, string> = {}
  for (const installPath of ['/slash/a.tar', 'slash/b.tar']) {
    const stored = recordIn(await fixture.toStorage({ url, installPath }))
    assert.equal(stored.installPath, installPath)
    assert.equal((await fixture.get(stored.uuid)).installPath, installPath)
    uuids[installPath] = stored.uuid
  }
  const onHost = join(newFolder(), 'slash/a.tar')
  uuids[onHost] = recordIn(await fixture.upload({ url, installPath: onHost })).uuid
  const host = onHost.slice(0, -'/slash/a.tar'.length)
  const [a, b] = ['/slash/a.tar', 'slash/b.tar']
  for (const [q, found] of [
    ['installPath=/slash/a.tar', [a]],
    ['installPath=slash/a.tar', [a]],
    ['installPath=/slash/b.tar', [b]],
    ['installPath=slash/b.tar', [b]],
    ['installPath=//slash/b.tar', []],
    [`installPath=${onHost}`, [onHost]],
    [`installPath=${onHost.slice(1)}`, []],
    [`installPath=/${onHost}`, []],
    ['installPath?=slash/a.tar,/slash/b.tar', [a, b]],
    ['installPath!=slash/a.tar', [b, onHost]],
    ['installPath!=/slash/b.tar', [a, onHost]],
    [`installPath!?=/slash/a.tar,slash/b.tar`, [onHost]],
    ['installPath~=/slash/%', [a, b]],
    ['installPath~=SLASH/%', [a, b]],
    ['installPath~=%/slash/_.tar', [a, b, onHost]],
    ['installPath!~=slash/%', [onHost]],
    ['installPath!~=/slash/%', [onHost]],
    [`installPath~=${host}%`, [onHost]],
    ['installPath>slash', [b]],
    ['installPath is null', []],
  ] as const) {
    const mine = encodeURIComponent(`uuid?=${Object.values(uuids).join(',')}`)
    const { body, text } = await fixture.admin.get(
      `/v1/software-package?q=${encodeURIComponent(q)}&q=${mine}&sort=installPath`,
    )
    const paths = (body.inventories as { installPath: string }[] | undefined)?.map(({ installPath }) => installPath)
    assert.deepEqual(paths?.toSorted(), found.toSorted(), `${q}: ${text}`)
    assert.deepEqual(paths, paths?.toSorted(), 'sorted by the returned path')
  }
  for (const installPath of ['slash/a.tar', '/slash/b.tar'])
    assertFailure(await fixture.toStorage({ url, installPath }), { status: 409, code: 'SYS.1002' })
  const installed = await fixture.install(uuids[a] ?? '', { hostUuid: fixture.server.bootstrap.hostUuid })
  assert.equal(installed.status, 200, installed.text)
  assert.equal(recordIn(await fixture.uninstall(uuids[a] ?? '')).installPath, a)
  assert.equal((await fixture.remove(uuids[a] ?? '')).status, 200)
  assert.equal((await fixture.toStorage({ url, installPath: 'slash/a.tar' })).status, 200)
})

test('the config schema, the ability to form a cluster and the backup storage of a package are returned', async () => {
  const at = newFolder()
  const config = { type: 'object', properties: { greeting: { type: 'string' } } }
  const url = source.serve('schema.tar', installable({ config }))
  const withSchema = recordIn(await fixture.upload({ url, installPath: join(at, 'schema.tar') }))
  const blob = recordIn(
    await fixture.upload({ url: source.serve('a.bin', Buffer.from('no archive')), installPath: join(at, 'a.bin') }),
  )
  const cluster = recordIn(
    await fixture.upload({ url: source.serve('c.tar', clusterPackage()), installPath: join(at, 'c.tar') }),
  )
  const stored = recordIn(await fixture.toStorage({ url, installPath: 'schema.tar' }))
  for (const [{ uuid }, configSchema, isStored, canFormCluster] of [
    [withSchema, config, false, false],
    [blob, null, false, false],
    [cluster, null, false, true],
    [stored, config, true, false],
  ] as const) {
    const { status, body, text } = await fixture.admin.get(`/v1/software-package/${uuid}/config-schema`)
    const found = [status, body.configSchema, body.backupStorageUuid !== null, body.canFormCluster]
    assert.deepEqual(found, [200, configSchema, isStored, canFormCluster], text)
  }
  const unknown = await fixture.admin.get(`/v1/software-package/${'0'.repeat(32)}/config-schema`)
  assertFailure(unknown, { status: 404, code: 'SYS.1003' })
})
