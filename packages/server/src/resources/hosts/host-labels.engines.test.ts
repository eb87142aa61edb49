import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HostInventory } from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation

interface Host {
  uuid: string
  name: string
  labels: Record<string, string>
}

const add = (name: string, labels?: unknown): Promise<Answer> =>
  server.admin.post('/v1/hosts', { params: { name, driver: 'local', address: '127.0.0.1', username: 'x', labels } })

async function added(name: string, labels?: unknown): Promise<Host> {
  const answer = await add(name, labels)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Host
}

const list = (conditions: readonly string[], more = ''): Promise<Answer> =>
  server.admin.get(`/v1/hosts?${conditions.map((q) => `q=${encodeURIComponent(q)}`).join('&')}${more}`)

/** The names of the hosts, without the one that every server has. */
const namesBy = async (...conditions: string[]): Promise<string> => {
  const answer = await list([...conditions, 'name!=this-node'])
  assert.equal(answer.status, 200, answer.text)
  return (answer.body.inventories as Host[]).map(({ name }) => name).join(' ')
}

const a = await added('a', { zone: 'a', role: 'web' })
await added('b', { zone: 'b', role: 'web', 'example.com/rack': ' 7 ' })
await added('c', { zone: 'a', role: 'db', empty: '' })
await added('d')

test('a host has its labels in every answer, trimmed and in the order of their names', async () => {
  assert.deepEqual(a.labels, { role: 'web', zone: 'a' })
  assert.deepEqual(Object.keys(a.labels), ['role', 'zone'])
  const one = await server.admin.get(`/v1/hosts/${a.uuid}`)
  assert.deepEqual((one.body.inventories as Host[])[0]?.labels, a.labels)
  const changed = await server.admin.put(`/v1/hosts/${a.uuid}/actions`, { reconnectHost: {} })
  assert.deepEqual((changed.body.inventory as Host).labels, a.labels)
  const listed = (await list(['labels.zone not null'], '&fields=name,labels&sort=name')).body.inventories
  assert.deepEqual(listed, [
    { name: 'a', labels: { role: 'web', zone: 'a' } },
    { name: 'b', labels: { 'example.com/rack': '7', role: 'web', zone: 'b' } },
    { name: 'c', labels: { empty: '', role: 'db', zone: 'a' } },
  ])
})

for (const [conditions, names] of [
  [['labels.zone=a'], 'a c'],
  [['labels.zone=a', 'labels.role=web'], 'a'],
  [['labels.role=web', 'name=b', 'labels.zone=b'], 'b'],
  [['labels.zone!=a'], 'b d'],
  [['labels.zone?=a,b'], 'a b c'],
  [['labels.zone!?=a,x'], 'b d'],
  [['labels.role~=W%'], 'a b'],
  [['labels.role!~=w%'], 'c d'],
  [['labels.zone>a'], 'b'],
  [['labels.zone<=a'], 'a c'],
  [['labels.zone is null'], 'd'],
  [['labels.zone is not null'], 'a b c'],
  [['labels.zone not null', 'labels.empty is null'], 'a b'],
  [['labels.empty='], 'c'],
  [['labels.example.com/rack=7'], 'b'],
  [['labels.zone=A'], ''],
  [["labels.zone=a' or 1=1"], ''],
  [['labels.unknown=a'], ''],
] as const)
  test(`${conditions.join(' and ')} finds ${names || 'no host'}`, async () => {
    assert.equal(await namesBy(...conditions), names)
    const count = await list([...conditions, 'name!=this-node'], '&count=true')
    assert.equal(count.body.total, names.split(' ').filter(Boolean).length)
    const sorted = (await list([...conditions, 'name!=this-node'], '&sort=-name')).body.inventories as Host[]
    assert.equal(sorted.map(({ name }) => name).join(' '), names.split(' ').reverse().join(' '))
  })

for (const [condition, details] of [
  ['labels.=a', 'q: "labels." names no label; a label name has a to z'],
  ['labels.Zone=a', 'q: "labels.Zone" names no label'],
  [`labels.${'a'.repeat(64)} is null`, 'names no label'],
  ['labels=a', 'q: no field "labels"; these can be queried: '],
  ['label.zone=a', 'labels.<name>'],
] as const)
  test(`refuses ${JSON.stringify(condition.slice(0, 20))}`, async () =>
    assertFailure(await list([condition]), { status: 400, code: 'SYS.1007', details }))

const tooMany = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, '']))

for (const [labels, details] of [
  [{ Zone: 'a' }, 'params.labels: the name "Zone" must match ^[a-z0-9]'],
  [{ '-zone': 'a' }, 'params.labels: the name "-zone" must match'],
  [{ ['z'.repeat(64)]: 'a' }, 'must match'],
  [{ '': 'a' }, 'params.labels: the name "" must match'],
  [{ 'a/b': 'x'.repeat(256) }, 'params.labels.a/b may have at most 255 characters'],
  [{ zone: 1 }, 'params.labels.zone must be a string'],
  [{ zone: 'a\nb' }, 'labels.zone contains control characters'],
  [['zone'], 'params.labels must be an object'],
  [tooMany, 'params.labels may have at most 64 entries'],
] as const)
  test(`refuses the labels ${JSON.stringify(labels).slice(0, 40)}`, async () => {
    assertFailure(await add('refused', labels), { status: 400, code: 'SYS.1007', details })
    assert.equal(await namesBy('name=refused'), '')
  })

test('a page by a label reads no more rows than it has, in the order of its index', async () => {
  if (database.engine !== 'sqlite') return
  const input = { q: ['labels.zone=a', 'state=Enabled'], limit: 50 }
  const { page } = collection(HostInventory).statements('sqlite', input)
  const plan = await database.rows(`explain query plan ${page?.sql}`, page?.values ?? [])
  const steps = plan.objects().map(({ detail }) => String(detail))
  assert.match(steps[0] ?? '', /^SEARCH leading USING COVERING INDEX hostLabelsByValue \(label=\? AND labelValue=\?\)/)
  assert.match(steps[1] ?? '', /^SEARCH hosts USING INDEX \S+ \(uuid=\?\)/)
  assert.equal(steps.length, 2, 'nothing is sorted')
})

test('labels are removed with their host', async () => {
  const { uuid } = await added('removed', { zone: 'x' })
  assert.equal((await server.admin.delete(`/v1/hosts/${uuid}`)).status, 200)
  assert.deepEqual(await database.read.selectFrom('hostLabels').selectAll().where('hostUuid', '=', uuid).execute(), [])
})
