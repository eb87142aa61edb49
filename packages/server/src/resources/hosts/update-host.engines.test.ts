import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const operator = await server.signIn('operator')

interface Host {
  uuid: string
  name: string
  description: string | null
  address: string
  labels: Record<string, string>
}

/** A host with ssh that nothing listens for, as if it had been added. */
async function sshHost(name: string, more: object = {}): Promise<string> {
  const uuid = newUuid()
  const own = await database.read.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
  const ssh = {
    driver: 'ssh',
    sshPort: 1,
    username: 'root',
    hostKey: 'ssh-ed25519 AAAA',
    managementNodeUuid: null,
  } as const
  await database.transaction((tx) =>
    tx
      .insertInto('hosts')
      .values({ ...own, ...ssh, uuid, name, description: 'as it was', state: 'Disabled', ...more })
      .execute(),
  )
  return uuid
}

const update = (uuid: string, fields: object, by = server.admin): Promise<Answer> =>
  by.put(`/v1/hosts/${uuid}/actions`, { updateHost: fields })

async function updated(uuid: string, fields: object, by = server.admin): Promise<Host> {
  const answer = await update(uuid, fields, by)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Host
}

const rowOf = (uuid: string) => database.read.selectFrom('hosts').selectAll().where('uuid', '=', uuid).execute()
const labelsOf = (uuid: string) =>
  database.read.selectFrom('hostLabels').select(['label', 'labelValue']).where('hostUuid', '=', uuid).execute()

const uuid = await sshHost('web-9')
const busy = await sshHost('busy-9')
const { uuid: thisMachine } = await database.read
  .selectFrom('hosts')
  .select('uuid')
  .where('driver', '=', 'local')
  .executeTakeFirstOrThrow()

test('name, description and labels change at once, also by an operator', async () => {
  const uuid = await sshHost('web-1')
  const host = await updated(uuid, { name: 'web-2', description: 'new', labels: { zone: 'a', role: 'web' } }, operator)
  assert.partialDeepStrictEqual(host, { name: 'web-2', description: 'new', labels: { role: 'web', zone: 'a' } })
  const merged = await updated(uuid, { labels: { zone: 'b', rack: '7' }, removeLabels: ['role', 'unknown'] }, operator)
  assert.deepEqual(merged.labels, { rack: '7', zone: 'b' })
  assert.deepEqual((await labelsOf(uuid)).map(({ label, labelValue }) => `${label}=${labelValue}`).sort(), [
    'rack=7',
    'zone=b',
  ])
  const found = await server.admin.get('/v1/hosts?q=labels.zone=b')
  assert.deepEqual(
    (found.body.inventories as Host[]).map(({ name }) => name),
    ['web-2'],
  )
  assert.equal((await updated(uuid, { clear: ['description'] })).description, null)
  assert.deepEqual((await updated(uuid, {})).labels, { rack: '7', zone: 'b' })
})

test('of labels that are changed at the same time none is lost', async () => {
  const uuid = await sshHost('busy')
  const names = Array.from({ length: 8 }, (_, index) => `l${index}`)
  await Promise.all(names.map((name) => updated(uuid, { labels: { [name]: name } })))
  assert.deepEqual(Object.keys((await updated(uuid, {})).labels), names)
  assert.equal((await labelsOf(uuid)).length, names.length)
})

test('a connection that does not work is not stored, and neither is anything else of the call', async () => {
  const uuid = await sshHost('far', { labels: '{"zone":"a"}' })
  const before = await rowOf(uuid)
  const change = { name: 'other', address: '127.0.0.1', sshPort: 2, labels: { zone: 'b' }, removeLabels: ['x'] }
  assertFailure(await update(uuid, change), { status: 502, code: 'HOST.1003', details: /127\.0\.0\.1 port 2.*refused/ })
  assert.deepEqual(await rowOf(uuid), before)
  assert.deepEqual(await labelsOf(uuid), [])
})

test('the machine of a server has no SSH connection to change; its address is only stored', async () => {
  const { hostUuid } = server.bootstrap
  assert.equal((await updated(hostUuid, { address: '127.0.0.9' })).address, '127.0.0.9')
  for (const fields of [{ sshPort: 22 }, { username: 'root' }, { hostKeyFingerprint: `SHA256:${'A'.repeat(43)}` }])
    assertFailure(await update(hostUuid, fields), { status: 400, code: 'SYS.1007', details: /driver local/ })
})

const jobUuid = newUuid()
const tooMany = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`l${index}`, '']))

test('a host whose packages are being worked on keeps its connection', async () => {
  const now = Date.now()
  const packageUuid = newUuid()
  await database.transaction(async (tx) => {
    const own = await tx.selectFrom('jobs').selectAll().limit(1).executeTakeFirstOrThrow()
    await tx
      .insertInto('softwarePackages')
      .values({
        uuid: packageUuid,
        name: 'p',
        type: 't',
        hostUuid: busy,
        installPath: '/p',
        status: 'Installing',
        size: 0,
        createDate: now,
        lastOpDate: now,
      } as never)
      .execute()
    const job = { ...own, uuid: jobUuid, subjectUuid: packageUuid, operation: 'InstallSoftwarePackage' }
    await tx
      .insertInto('jobs')
      .values({ ...job, state: 'Waiting', owner: null, managementNodeUuid: 'f'.repeat(32) })
      .execute()
  })
  const details = `job ${jobUuid} (InstallSoftwarePackage) uses the connection to host busy-9`
  assertFailure(await update(busy, { username: 'other' }), { status: 409, code: 'SYS.1005', details })
  await updated(busy, { labels: { zone: 'a' } })
})

for (const [name, fields, expected, by] of [
  ['an unknown host', {}, { status: 404, code: 'SYS.1003' }],
  [
    'another address by an operator',
    { address: '10.0.0.1' },
    { status: 403, code: 'ID.1002', details: /role admin/ },
    operator,
  ],
  ['a key by an operator', { clear: ['privateKey'], username: 'x' }, { status: 403, code: 'ID.1002' }, operator],
  ['a bad address', { address: '-oProxyCommand=x' }, { status: 400, code: 'SYS.1007', details: /address/ }],
  ['a bad key', { privateKey: 'nonsense' }, { status: 400, code: 'SYS.1007', details: /privateKey/ }],
  ['a bad fingerprint', { hostKeyFingerprint: 'md5:x' }, { status: 400, code: 'SYS.1007', details: /SHA256/ }],
  [
    'a label name',
    { labels: { A: 'b' } },
    { status: 400, code: 'SYS.1007', details: 'updateHost.labels: the name "A"' },
  ],
  ['a label to remove', { removeLabels: ['A'] }, { status: 400, code: 'SYS.1007', details: 'updateHost.removeLabels' }],
  [
    'a label both ways',
    { labels: { a: 'b' }, removeLabels: ['a'] },
    { status: 400, code: 'SYS.1007', details: /label a is in/ },
  ],
  ['too many labels', { labels: tooMany, name: 'x' }, { status: 400, code: 'SYS.1007', details: /65 labels/ }],
  ['a key and its removal', { privateKey: 'x', clear: ['privateKey'] }, { status: 400, code: 'SYS.1007' }],
  [
    'a label both ways, before another address is tried',
    { address: '127.0.0.1', sshPort: 2, labels: { a: 'b' }, removeLabels: ['a'] },
    { status: 400, code: 'SYS.1007', details: /label a is in/ },
  ],
  [
    'a description and its removal, before another address is tried',
    { address: '127.0.0.1', sshPort: 2, description: 'x', clear: ['description'] },
    { status: 400, code: 'SYS.1007', details: /description is given/ },
  ],
  [
    'an invalid address of this machine',
    { address: '10.0.0.300' },
    { status: 400, code: 'SYS.1007', details: /"10\.0\.0\.300" is none: correct it/ },
  ],
  ['another driver', { driver: 'local' }, { status: 400, code: 'SYS.1007', details: /driver/ }],
] as const)
  test(`refuses ${name}, and nothing changes`, async () => {
    if (name === 'too many labels') await updated(uuid, { labels: { one: '' } })
    const target = name === 'an unknown host' ? 'f'.repeat(32) : name.endsWith('this machine') ? thisMachine : uuid
    const before = await rowOf(target)
    assertFailure(await update(target, fields, by ?? server.admin), expected)
    assert.deepEqual(await rowOf(target), before)
  })
