import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Message, ResourceRecord } from './dns/message.ts'
import { readMessage } from './dns/read-message.ts'
import { writeMessage } from './dns/write-message.ts'
import { LinkAnnouncer } from './link-announcer.ts'
import type { Link } from './multicast/links.ts'
import { namesOf, recordsOn } from './records.ts'
import { serviceType } from './service-type.ts'

const facts = { hostName: 'web.example.com', sn: 'SN-1' }
const networks = ['192.0.2.5/24', 'fe80::5/64', 'fd00::5/64']
const link: Link = { name: 'eth0', ipv4: ['192.0.2.5'], ipv6: ['fe80::5', 'fd00::5'], networks, signature: '' }
const names = namesOf(facts, 1)
const records = recordsOn(link, names, facts)

/** An announcer with mocked timers that records what it sends. */
function createAnnouncer(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: Message[] = []
  const replies: Message[] = []
  let conflicts = 0
  const announcer = new LinkAnnouncer({
    names,
    records,
    ownAddresses: new Set(['192.0.2.5', 'fe80::5', 'fd00::5', '198.51.100.5']),
    send: async (message) => void sent.push(readMessage(writeMessage(message))),
    onConflict: () => void conflicts++,
  })
  const receive = (message: Partial<Message>, isMulticast = true): void =>
    announcer.receive(readMessage(writeMessage(message)), {
      link,
      isMulticast,
      reply: (answer) => void replies.push(readMessage(writeMessage(answer))),
    })
  const pass = (ms: number): void => t.mock.timers.tick(ms)
  /** The messages since the last call. */
  const takeSent = (): Message[] => sent.splice(0)
  return { announcer, receive, pass, takeSent, replies, conflicts: () => conflicts }
}

function createAnnounced(t: TestContext) {
  const fixture = createAnnouncer(t)
  fixture.announcer.start(0)
  for (let quarter = 0; quarter < 8; quarter++) fixture.pass(250)
  fixture.takeSent()
  return fixture
}

const typesOf = (list: readonly ResourceRecord[] = []): string[] => list.map(({ type }) => type)
const otherHost = (address: string): ResourceRecord => ({
  name: names.host,
  ttlSeconds: 120,
  flush: true,
  type: 'A',
  address,
})

test('sends three probes, then two announcements', (t) => {
  const { announcer, pass, takeSent } = createAnnouncer(t)
  announcer.start(0)
  for (let quarter = 0; quarter < 3; quarter++) {
    pass(quarter === 0 ? 0 : 250)
    const [probe, ...more] = takeSent()
    assert.deepEqual([probe?.isResponse, more.length], [false, 0])
    assert.deepEqual(
      probe?.questions,
      [names.host, names.instance].map((name) => ({ name, type: 'ANY' })),
    )
    assert.deepEqual(typesOf(probe?.authorities), ['SRV', 'TXT', 'A', 'AAAA'])
  }
  pass(250)
  const [first] = takeSent()
  assert.deepEqual(typesOf(first?.answers), ['PTR', 'PTR', 'SRV', 'TXT', 'A', 'AAAA'])
  pass(1000)
  assert.deepEqual(takeSent(), [first])
  pass(60_000)
  assert.deepEqual(takeSent(), [])
})

test('announces the addresses and the interface of the link with a TTL of ten seconds', () => {
  assert.deepEqual(names, { host: 'web.local', instance: `web.${serviceType}` })
  const addresses = records.unique.filter(({ type }) => type === 'A' || type === 'AAAA')
  assert.deepEqual(
    addresses.map((record) => ({ ...record })),
    [
      { name: 'web.local', ttlSeconds: 10, flush: true, type: 'A', address: '192.0.2.5' },
      { name: 'web.local', ttlSeconds: 10, flush: true, type: 'AAAA', address: 'fd00::5' },
    ],
  )
  const txt = records.unique.find((record) => record.type === 'TXT')
  assert.deepEqual(txt?.type === 'TXT' && txt.strings, ['sn=SN-1', 'ipv4Interface=eth0', 'ipv6Interface=eth0'])
  const onlyIpv6 = recordsOn({ ...link, ipv4: [], ipv6: ['fe80::5'] }, names, facts)
  assert.deepEqual(typesOf(onlyIpv6.unique), ['SRV', 'TXT', 'AAAA'])
})

test('reports a conflict while it probes', (t) => {
  const { announcer, receive, pass, conflicts } = createAnnouncer(t)
  announcer.start(0)
  pass(250)
  receive({ isResponse: true, answers: [otherHost('192.0.2.5'), otherHost('198.51.100.5')] })
  assert.equal(conflicts(), 0, 'these addresses are its own')
  receive({ isResponse: true, answers: [otherHost('192.0.2.77')] })
  assert.equal(conflicts(), 1)
})

test('probes again when another host uses its name later', (t) => {
  const { receive, pass, takeSent, conflicts } = createAnnounced(t)
  receive({ isResponse: true, answers: [otherHost('192.0.2.77')] })
  pass(250)
  assert.equal(takeSent()[0]?.authorities.length, 4)
  assert.equal(conflicts(), 0)
})

test('defers to a simultaneous probe', (t) => {
  const { announcer, receive, pass, takeSent } = createAnnouncer(t)
  announcer.start(0)
  pass(0)
  assert.equal(takeSent().length, 1)
  receive({ questions: [{ name: names.host, type: 'ANY' }], authorities: [otherHost('192.0.2.77')] })
  pass(499)
  assert.deepEqual(takeSent(), [])
  pass(1001)
  assert.ok(takeSent().length >= 1)
})

for (const { name, questions, answers } of [
  { name: 'the service', questions: [{ name: serviceType.toUpperCase(), type: 'PTR' as const }], answers: ['PTR'] },
  {
    name: 'its addresses',
    questions: [
      { name: names.host, type: 'A' as const },
      { name: names.host, type: 'AAAA' as const },
    ],
    answers: ['A', 'AAAA'],
  },
  {
    name: 'all records of its name',
    questions: [{ name: names.instance, type: 'ANY' as const }],
    answers: ['SRV', 'TXT'],
  },
])
  test(`responds to a query for ${name} with additional records`, (t) => {
    const { receive, pass, takeSent } = createAnnounced(t)
    receive({ questions })
    pass(1000)
    const [answer, ...more] = takeSent()
    assert.deepEqual([typesOf(answer?.answers), more.length], [answers, 0])
    assert.deepEqual(
      new Set([...typesOf(answer?.answers), ...typesOf(answer?.additionals)]),
      new Set([...answers, 'SRV', 'TXT', 'A', 'AAAA']),
    )
  })

test('responds once to many queries in a second', (t) => {
  const { receive, pass, takeSent } = createAnnounced(t)
  for (let n = 0; n < 100; n++) receive({ questions: [{ name: names.host, type: 'A' }] })
  pass(1000)
  assert.equal(takeSent().length, 1)
})

test('does not respond to known answers, to queries for other names, and before its names are verified', (t) => {
  const { announcer, receive, pass, takeSent } = createAnnounced(t)
  const known: ResourceRecord = {
    type: 'PTR',
    name: serviceType,
    target: names.instance,
    ttlSeconds: 4000,
    flush: false,
  }
  receive({ questions: [{ name: serviceType, type: 'PTR' }], answers: [known] })
  receive({ questions: [{ name: 'other.local', type: 'A' }] })
  pass(2000)
  assert.deepEqual(takeSent(), [])
  receive({ questions: [{ name: serviceType, type: 'PTR' }], answers: [{ ...known, ttlSeconds: 2000 }] })
  pass(2000)
  assert.equal(takeSent().length, 1, 'less than half of the TTL remains')
  announcer.start(1000)
  receive({ questions: [{ name: serviceType, type: 'PTR' }] })
  pass(999)
  assert.deepEqual(takeSent(), [])
})

test('responds to a plain DNS query by unicast', (t) => {
  const { receive, pass, takeSent, replies } = createAnnounced(t)
  const questions = [{ name: names.instance, type: 'SRV' as const }]
  receive({ id: 77, questions }, false)
  pass(2000)
  assert.deepEqual(takeSent(), [])
  const [{ id, answers, questions: back } = {} as Message] = replies
  assert.deepEqual(
    [id, back, answers.map(({ ttlSeconds, flush }) => [ttlSeconds, flush])],
    [77, questions, [[10, false]]],
  )
})

test('sends a goodbye for its records', async (t) => {
  const { announcer, takeSent } = createAnnounced(t)
  await announcer.goodbye()
  const [goodbye] = takeSent()
  assert.deepEqual(typesOf(goodbye?.answers), ['PTR', 'SRV', 'TXT', 'A', 'AAAA'])
  assert.ok(goodbye?.answers.every(({ ttlSeconds }) => ttlSeconds === 0))
})

test('numbers and shortens names', () => {
  assert.equal(namesOf({ hostName: 'web' }, 3).host, 'web-3.local')
  assert.equal(namesOf({ hostName: '' }, 1).host, 'host.local')
  assert.equal(namesOf({ hostName: 'x'.repeat(200) }, 12).host, `${'x'.repeat(60)}-12.local`)
})
