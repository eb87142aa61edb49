import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import { assertFailure, TestServer, TrialJob, testEngine } from '@wharf/testkit'
import { TagService } from '../tags/service.ts'
import { addHostJob } from './jobs/add.ts'
import { HostService } from './service.ts'

/** Accepts connections and never answers. */
async function silentPort(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  return (silent.address() as AddressInfo).port
}

const kinds = [
  {
    path: '/v1/hosts',
    name: 'host far',
    reconnect: 'reconnectHost',
    table: 'hosts',
    paramsOf: (sshPort: number) => ({ driver: 'ssh', address: '127.0.0.1', sshPort, username: 'root' }),
  },
  {
    path: '/v1/backup-storage',
    name: 'backup storage far',
    reconnect: 'reconnectBackupStorage',
    table: 'backupStorage',
    paramsOf: (port: number) => ({ type: 'sftp', url: `sftp://127.0.0.1:${port}/srv`, username: 'backup' }),
  },
] as const

for (const { path, name, reconnect, table, paramsOf } of kinds) {
  test(`${name} can be neither reconnected nor deleted while a job adds it, and cancelling the job leaves nothing`, async (t) => {
    const server = await TestServer.start(t)
    const { read } = server.app.foundation.database
    const [uuid, jobUuid] = [newUuid(), newUuid()]
    const params = { name: 'far', resourceUuid: uuid, ...paramsOf(await silentPort(t)) }
    const headers = { 'x-job-uuid': jobUuid, prefer: 'respond-async' }
    const started = await server.admin.post(path, { params, userTags: ['mine'] }, headers)
    assert.equal(started.status, 202, started.text)
    const details = `${name} is Connecting while job ${jobUuid} adds it; wait for the job or cancel it`
    for (const answer of [
      await server.admin.put(`${path}/${uuid}/actions`, { [reconnect]: {} }),
      await server.admin.delete(`${path}/${uuid}`),
    ])
      assertFailure(answer, { status: 409, code: 'SYS.1005', details })
    const job = new TrialJob(server.admin, String(started.body.location))
    await job.cancel()
    await job.waitFor('state', 'Cancelled')
    assert.deepEqual(await read.selectFrom(table).select('uuid').where('uuid', '=', uuid).execute(), [])
    assert.deepEqual(await read.selectFrom('userTags').selectAll().where('resourceUuid', '=', uuid).execute(), [])
  })

  test(`${name} that no job adds can be reconnected and deleted`, async (t) => {
    const server = await TestServer.start(t)
    const { database } = server.app.foundation
    const strand = () =>
      database.transaction((tx) => tx.updateTable(table).set({ status: 'Connecting' }).returning('uuid').execute())
    const [{ uuid } = { uuid: '' }] = await strand()
    const reconnected = await server.admin.put(`${path}/${uuid}/actions`, { [reconnect]: {} })
    assert.equal(reconnected.status, 200, reconnected.text)
    await strand()
    const deleted = await server.admin.delete(`${path}/${uuid}`)
    assert.equal(deleted.status, 200, deleted.text)
  })
}

const onPostgres = testEngine === 'postgres' ? test : () => {}

onPostgres('the host of a dead node leaves no record when another node ends its adding', async (t) => {
  const server = await TestServer.start(t)
  const { foundation } = server.app
  const { database, jobs, tags } = { ...foundation, tags: new TagService(foundation) }
  const nodeUuid = newUuid()
  const hosts = new HostService({ ...foundation, nodeUuid })
  const { userUuid, accountUuid } = server.bootstrap
  const { hostUuid, jobUuid } = await database.transaction(async (tx) => {
    const node = { uuid: nodeUuid, hostName: 'gone', url: null, version: '0', createDate: 0, lastOpDate: 0 }
    await tx
      .insertInto('managementNodes')
      .values({ ...node, status: 'Dead' })
      .execute()
    const host = { name: 'far', driver: 'local', address: '127.0.0.1', username: '' } as const
    const { uuid: hostUuid } = await hosts.create(tx, host)
    const far = { uuid: hostUuid, name: 'far' }
    const submission = { subject: far, host: far, input: { hostUuid }, managementNodeUuid: nodeUuid }
    const request = { caller: { userUuid, accountUuid } }
    return { hostUuid, ...(await jobs.enqueue(tx, addHostJob({ hosts, tags }), { request, ...submission })) }
  })
  const job = new TrialJob(server.admin, `${server.url}/v1/api-jobs/${jobUuid}`)
  await job.cancel()
  await job.waitFor('state', 'Failed')
  await assert.rejects(hosts.get(hostUuid), { code: 'SYS.1003' })
})
