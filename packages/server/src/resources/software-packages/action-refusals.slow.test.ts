import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { allowed, type PackageStatus, packageStatuses } from '@wharf/contract'
import { newUuid } from '@wharf/platform/ids.ts'
import {
  type Answer,
  assertFailure,
  assertUnchanged,
  type Client,
  filesIn,
  installable,
  PackageFixture,
  recordIn,
} from '@wharf/testkit'

const fixture = await PackageFixture.start({ after })
const { source, folder, server } = fixture
const { hostUuid } = server.bootstrap
const { database } = server.app.foundation
const url = source.serve('p.tar', installable({ hooks: { install: 'cat >/dev/null', uninstall: ':' } }))
let uuid = ''
let stored = ''

before(async () => {
  uuid = recordIn(await fixture.upload({ url, installPath: join(folder, 'p.tar') })).uuid
  stored = recordIn(await fixture.toStorage({ url, installPath: 'p.tar' })).uuid
})

type Change = { state?: 'Enabled' | 'Disabled'; status?: 'Connected' | 'Disconnected' | 'Connecting' }
const changeHost = (change: Change) =>
  database.transaction((tx) => tx.updateTable('hosts').set(change).where('uuid', '=', hostUuid).execute())
const changeStorage = (change: Change) =>
  database.transaction((tx) => tx.updateTable('backupStorage').set(change).execute())
const setStatus = (status: PackageStatus) =>
  database.transaction((tx) => tx.updateTable('softwarePackages').set({ status }).where('uuid', '=', uuid).execute())

const actions = { install: () => fixture.install(uuid), uninstall: () => fixture.uninstall(uuid) }
for (const action of ['install', 'uninstall'] as const)
  for (const status of packageStatuses) {
    const from: readonly PackageStatus[] = allowed[action]
    if (from.includes(status))
      test(`accepts ${action} of a package that is ${status}`, async () => {
        await setStatus(status)
        const done = await actions[action]()
        assert.equal(done.status, 200, done.text)
        assert.equal((await fixture.get(uuid)).status, action === 'install' ? 'Installed' : 'Uploaded')
      })
    else
      test(`refuses to ${action} a package that is ${status}`, async () => {
        await setStatus(status)
        const details = `is ${status}; to ${action} it, it must be ${from.join(' or ')}`
        await assertUnchanged(fixture, async () =>
          assertFailure(await actions[action](), { status: 409, code: 'SYS.1005', details }),
        )
      })
  }

const toHost = (more: object = {}) => fixture.upload({ url, installPath: join(folder, 'x/y.tar'), ...more })
const toStorage = (more: object = {}) => fixture.toStorage({ url, installPath: 'x/y.tar', ...more })
const unusable = [
  { change: { state: 'Disabled' }, status: 409, host: 'SYS.1005', storage: 'SYS.1005', details: 'Disabled' },
  { change: { status: 'Disconnected' }, status: 502, host: 'HOST.1010', storage: 'BS.1003', details: 'Disconnected' },
  { change: { status: 'Connecting' }, status: 502, host: 'HOST.1010', storage: 'BS.1003', details: 'Connecting' },
] as const

for (const { change, status, details, ...codes } of unusable) {
  test(`a host that is ${details} receives nothing`, async () => {
    await changeHost(change)
    try {
      for (const [before, send] of [
        ['Uploaded', () => toHost()],
        ['Uploaded', () => toHost({ url: 'upload://y.tar' })],
        ['Uploaded', () => fixture.install(uuid)],
        ['Uploaded', () => fixture.install(stored, { hostUuid })],
        ['Installed', () => fixture.uninstall(uuid)],
      ] as const) {
        await setStatus(before)
        await assertUnchanged(fixture, async () => assertFailure(await send(), { status, code: codes.host, details }))
      }
    } finally {
      await changeHost({ state: 'Enabled', status: 'Connected' })
    }
  })

  test(`a storage that is ${details} receives nothing`, async () => {
    await changeStorage(change)
    const { backupStorageUuid } = server.bootstrap
    try {
      await assertUnchanged(fixture, async () => {
        const expected = { status, code: codes.storage, details }
        assertFailure(await toStorage({ backupStorageUuid }), expected)
        assertFailure(await toStorage({ backupStorageUuid, url: 'upload://y.tar' }), expected)
        assertFailure(await fixture.install(stored, { hostUuid }), expected)
        assertFailure(await toStorage(), { status: 409, code: 'SoftwarePackage.1122' })
      })
    } finally {
      await changeStorage({ state: 'Enabled', status: 'Connected' })
    }
  })
}

/** Hosts on which the hook of a failed installation may still run, and the refusal to install the package on another. */
const formerHosts = [
  {
    host: { driver: 'ssh', address: '198.18.0.9', status: 'Disconnected', managementNodeUuid: null },
    failure: {
      status: 502,
      code: 'HOST.1010',
      details: /demo may still run on host former \(198\.18\.0\.9\), which is Disconnected; reconnect the host/,
    },
  },
  {
    host: { driver: 'local', status: 'Connected' },
    failure: {
      status: 409,
      code: 'SYS.1005',
      details: /last installed on host former, the machine of .* uninstall it there/,
    },
  },
] as const
for (const { host, failure } of formerHosts)
  test(`a package whose former host is ${host.driver} and ${host.status} is not installed on another one`, async () => {
    const former = newUuid()
    await database.transaction(async (tx) => {
      const own = await tx.selectFrom('hosts').selectAll().where('uuid', '=', hostUuid).executeTakeFirstOrThrow()
      await tx
        .insertInto('hosts')
        .values({ ...own, ...host, uuid: former, name: 'former' })
        .execute()
      const change = { status: 'InstallFailed', hostUuid: former } as const
      await tx.updateTable('softwarePackages').set(change).where('uuid', '=', stored).execute()
    })
    try {
      await assertUnchanged(fixture, async () => assertFailure(await fixture.install(stored, { hostUuid }), failure))
    } finally {
      await database.transaction(async (tx) => {
        const change = { status: 'Uploaded', hostUuid: null } as const
        await tx.updateTable('softwarePackages').set(change).where('uuid', '=', stored).execute()
        await tx.deleteFrom('hosts').where('uuid', '=', former).execute()
      })
    }
  })

/** Starts an upload that never ends and does not wait for it. */
async function startEndlessUpload(installPath: string): Promise<string> {
  const endless = source.serve('endless.tar', (response) => void response.writeHead(200).write(Buffer.alloc(100)))
  const resourceUuid = Math.random().toString(16).slice(2).padEnd(32, '0').slice(0, 32)
  const started = await fixture.upload({ url: endless, installPath, resourceUuid }, { prefer: 'respond-async' })
  assert.equal(started.status, 202, started.text)
  return resourceUuid
}

test('Permissive refuses to delete a package during its upload, and Enforcing cancels the upload first', async () => {
  const filesBefore = filesIn(folder)
  const busy = await startEndlessUpload(join(folder, 'new/busy.tar'))
  const path = `/v1/software-package/${busy}`
  for (const body of [undefined, { deleteMode: 'Permissive' }])
    assertFailure(await fixture.admin.delete(path, body), {
      status: 409,
      code: 'SYS.1004',
      details: 'UploadSoftwarePackage',
    })
  assert.equal((await fixture.get(busy)).status, 'Uploading')
  const deleted = await fixture.admin.delete(path, { deleteMode: 'Enforcing' })
  assert.equal(deleted.status, 200, deleted.text)
  assert.equal((await fixture.admin.get(path)).status, 404)
  assert.deepEqual(filesIn(folder), filesBefore)
  const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${busy}&sort=createDate`)
  const states = (body.inventories as { operation: string; state: string }[]).map(({ operation, state }) => [
    operation,
    state,
  ])
  assert.deepEqual(states, [
    ['UploadSoftwarePackage', 'Cancelled'],
    ['DeleteSoftwarePackage', 'Succeeded'],
  ])
})

test('a second job on a busy package is refused, whatever its operation', async () => {
  const busy = await startEndlessUpload(join(folder, 'busy2.tar'))
  for (const status of ['Uploaded', 'Installed'] as const) {
    await database.transaction((tx) =>
      tx.updateTable('softwarePackages').set({ status }).where('uuid', '=', busy).execute(),
    )
    const answer = status === 'Uploaded' ? await fixture.install(busy) : await fixture.uninstall(busy)
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
    assert.equal((await fixture.get(busy)).status, status)
  }
  assert.equal((await fixture.admin.delete(`/v1/software-package/${busy}?deleteMode=Enforcing`)).status, 200)
})

test('readers may call none of these operations', async () => {
  const { managementNodeUuid } = server.bootstrap
  const upload = { name: 'n', type: 'demo', url, hostUuid, managementNodeUuid, installPath: join(folder, 'o/p.tar') }
  const store = { name: 'n', type: 'demo', url, installPath: 'o/p.tar' }
  await setStatus('Uploaded')
  const calls: ((as: Client) => Promise<Answer>)[] = [
    (as) => as.post('/v1/software-packages/upload', { params: upload }),
    (as) => as.post('/v1/software-packages/backup-storage/upload', { params: store }),
    (as) => as.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} }),
    (as) => as.put(`/v1/software-package/${uuid}/actions`, { uninstallSoftwarePackage: {} }),
    (as) => as.delete(`/v1/software-package/${uuid}`),
  ]
  const reader = await server.signIn('reader')
  await assertUnchanged(fixture, async () => {
    for (const call of calls) assertFailure(await call(reader), { status: 403, code: 'ID.1002' })
    for (const call of calls) assertFailure(await call(server.anonymous), { status: 401, code: 'ID.1001' })
  })
  assert.equal((await reader.get('/v1/software-package')).status, 200)
})
