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

/** The announcer on a link where time passes when the test says so, and what it has sent there. */
function announcer(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: Message[] = []
  const replies: Message[] = []
  let taken = 0
  const one = new LinkAnnouncer({
    names,
    records,
    ownAddresses: new Set(['192.0.2.5', 'fe80::5', 'fd00::5', '198.51.100.5']),
    send: async (message) => void sent.push(readMessage(writeMessage(message))),
    taken: () => void taken++,
  })
  const receive = (message: Partial<Message>, isMulticast = true): void =>
    one.receive(readMessage(writeMessage(message)), {
      link,
      isMulticast,
      reply: (answer) => void replies.push(readMessage(writeMessage(answer))),
    })
  const pass = (ms: number): void => t.mock.timers.tick(ms)
  /** All that was sent since the last call. */
  const said = (): Message[] => sent.splice(0)
  return { one, receive, pass, said, replies, taken: () => taken }
}

function announced(t: TestContext) {
  const world = announcer(t)
  world.one.start(0)
  for (let quarter = 0; quarter < 8; quarter++) world.pass(250)
  world.said()
  return world
}

const typesOf = (list: readonly ResourceRecord[] = []): string[] => list.map(({ type }) => type)
const foreign = (address: string): ResourceRecord => ({
  name: names.host,
  ttlSeconds: 120,
  flush: true,
  type: 'A',
  address,
})

test('asks three times whether its names are free, then tells everything twice', (t) => {
  const { one, pass, said } = announcer(t)
  one.start(0)
  for (let quarter = 0; quarter < 3; quarter++) {
    pass(quarter === 0 ? 0 : 250)
    const [probe, ...more] = said()
    assert.deepEqual([probe?.isResponse, more.length], [false, 0])
    assert.deepEqual(
      probe?.questions,
      [names.host, names.instance].map((name) => ({ name, type: 'ANY' })),
    )
    assert.deepEqual(typesOf(probe?.authorities), ['SRV', 'TXT', 'A', 'AAAA'])
  }
  pass(250)
  const [first] = said()
  assert.deepEqual(typesOf(first?.answers), ['PTR', 'PTR', 'SRV', 'TXT', 'A', 'AAAA'])
  pass(1000)
  assert.deepEqual(said(), [first])
  pass(60_000)
  assert.deepEqual(said(), [])
})

test('tells addresses for ten seconds, of this link, and by which interface', () => {
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

test('a name that somebody else has is given up while it is asked for', (t) => {
  const { one, receive, pass, taken } = announcer(t)
  one.start(0)
  pass(250)
  receive({ isResponse: true, answers: [foreign('192.0.2.5'), foreign('198.51.100.5')] })
  assert.equal(taken(), 0, 'those are our own')
  receive({ isResponse: true, answers: [foreign('192.0.2.77')] })
  assert.equal(taken(), 1)
})

test('a name that somebody else takes later is asked for anew', (t) => {
  const { receive, pass, said, taken } = announced(t)
  receive({ isResponse: true, answers: [foreign('192.0.2.77')] })
  pass(250)
  assert.equal(said()[0]?.authorities.length, 4)
  assert.equal(taken(), 0)
})

test('gives way for a moment to another that asks for the name at the same time', (t) => {
  const { one, receive, pass, said } = announcer(t)
  one.start(0)
  pass(0)
  assert.equal(said().length, 1)
  receive({ questions: [{ name: names.host, type: 'ANY' }], authorities: [foreign('192.0.2.77')] })
  pass(499)
  assert.deepEqual(said(), [])
  pass(1001)
  assert.ok(said().length >= 1)
})

for (const { what, questions, answers } of [
  { what: 'the service', questions: [{ name: serviceType.toUpperCase(), type: 'PTR' as const }], answers: ['PTR'] },
  {
    what: 'its addresses',
    questions: [
      { name: names.host, type: 'A' as const },
      { name: names.host, type: 'AAAA' as const },
    ],
    answers: ['A', 'AAAA'],
  },
  {
    what: 'everything of its name',
    questions: [{ name: names.instance, type: 'ANY' as const }],
    answers: ['SRV', 'TXT'],
  },
])
  test(`answers to all who asks for ${what}, with what will be asked next`, (t) => {
    const { receive, pass, said } = announced(t)
    receive({ questions })
    pass(1000)
    const [answer, ...more] = said()
    assert.deepEqual([typesOf(answer?.answers), more.length], [answers, 0])
    assert.deepEqual(
      new Set([...typesOf(answer?.answers), ...typesOf(answer?.additionals)]),
      new Set([...answers, 'SRV', 'TXT', 'A', 'AAAA']),
    )
  })

test('answers many questions of a second once', (t) => {
  const { receive, pass, said } = announced(t)
  for (let n = 0; n < 100; n++) receive({ questions: [{ name: names.host, type: 'A' }] })
  pass(1000)
  assert.equal(said().length, 1)
})

test('keeps silent when it is known already, when others are asked for, and before its names are its own', (t) => {
  const { one, receive, pass, said } = announced(t)
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
  assert.deepEqual(said(), [])
  receive({ questions: [{ name: serviceType, type: 'PTR' }], answers: [{ ...known, ttlSeconds: 2000 }] })
  pass(2000)
  assert.equal(said().length, 1, 'half of the time has passed')
  one.start(1000)
  receive({ questions: [{ name: serviceType, type: 'PTR' }] })
  pass(999)
  assert.deepEqual(said(), [])
})

test('answers a plain DNS question to the asker alone', (t) => {
  const { receive, pass, said, replies } = announced(t)
  const questions = [{ name: names.instance, type: 'SRV' as const }]
  receive({ id: 77, questions }, false)
  pass(2000)
  assert.deepEqual(said(), [])
  const [{ id, answers, questions: back } = {} as Message] = replies
  assert.deepEqual(
    [id, back, answers.map(({ ttlSeconds, flush }) => [ttlSeconds, flush])],
    [77, questions, [[10, false]]],
  )
})

test('says goodbye to what it has told', async (t) => {
  const { one, said } = announced(t)
  await one.goodbye()
  const [goodbye] = said()
  assert.deepEqual(typesOf(goodbye?.answers), ['PTR', 'SRV', 'TXT', 'A', 'AAAA'])
  assert.ok(goodbye?.answers.every(({ ttlSeconds }) => ttlSeconds === 0))
})

test('finds names that are free and fit', () => {
  assert.equal(namesOf({ hostName: 'web' }, 3).host, 'web-3.local')
  assert.equal(namesOf({ hostName: '' }, 1).host, 'host.local')
  assert.equal(namesOf({ hostName: 'x'.repeat(200) }, 12).host, `${'x'.repeat(60)}-12.local`)
})
