import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import { assertFailure, TestServer, TrialJob, TrialTrace, trialOperations } from '@wharf/testkit'

/** Inserts a package, a cluster and a VM on a host that operators may use and that does not answer. */
async function insertRecords(server: TestServer) {
  const { database } = server.app.foundation
  const host = { uuid: newUuid(), name: 'elsewhere', driver: 'ssh' as const, address: '127.0.0.1', sshPort: 1 }
  const dates = { createDate: Date.now(), lastOpDate: Date.now() }
  const [pack, vm] = [newUuid(), newUuid()]
  await database.transaction(async (tx) => {
    const here = await tx.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
    await tx
      .insertInto('hosts')
      .values({ ...here, ...host, username: 'root', managementNodeUuid: null })
      .execute()
    const location = { hostUuid: host.uuid, installPath: '/srv/a.tar', status: 'Uploaded' as const, size: 1 }
    await tx
      .insertInto('softwarePackages')
      .values({ uuid: pack, name: 'a', type: 'demo', ...location, ...dates })
      .execute()
    const size = { cpu: 1, memoryBytes: 1, network: null, description: null, imageUuid: null }
    const owner = { role: 'gateway' as const, hostUuid: host.uuid, packageUuid: pack, status: 'Ready' as const }
    await tx
      .insertInto('gatewayVms')
      .values({ uuid: vm, name: 'vm', ...size, ...owner, ...dates })
      .execute()
  })
  const added = await server.admin.post('/v1/cluster-plugin', { params: { name: 'c', apiPort: 8124 } })
  assert.equal(added.status, 200, added.text)
  const { uuid } = added.body.inventory as { uuid: string }
  return [
    { name: 'a package', path: `/v1/software-package/${pack}`, uuid: pack },
    { name: 'a cluster', path: `/v1/cluster-plugin/${uuid}`, uuid },
    { name: 'a gateway VM', path: `/v1/migrate/vm-instances/${vm}`, uuid: vm },
  ]
}

test('a forced delete cancels only the jobs that the caller may cancel', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const [alice, bob] = [await server.signIn('operator', 'alice'), await server.signIn('operator', 'bob')]
  for (const { name, path, uuid } of await insertRecords(server))
    await t.test(name, async () => {
      const job = await TrialJob.start(alice, { trace: trace.file, holdAt: 'run first' }, { subjectUuid: uuid })
      for (const request of [{ query: '?deleteMode=Enforcing' }, { query: '', body: { deleteMode: 'Enforcing' } }])
        assertFailure(await bob.delete(path + request.query, request.body), {
          status: 403,
          code: 'ID.1002',
          details: `StartDemo is still running on ${uuid}, as job ${job.uuid} of user `,
        })
      const { state, cancelRequested } = await server.app.foundation.database.read
        .selectFrom('jobs')
        .select(['state', 'cancelRequested'])
        .where('uuid', '=', job.uuid)
        .executeTakeFirstOrThrow()
      assert.deepEqual([state, cancelRequested], ['Running', 0])
      await alice.delete(`${path}?deleteMode=Enforcing`, undefined, { prefer: 'respond-async' })
      assert.equal((await job.waitForEnd()).body.error?.code, 'SYS.1017')
    })
})
