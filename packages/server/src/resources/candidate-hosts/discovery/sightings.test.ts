import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { readMessage } from '@wharf/announcer/dns/read-message.ts'
import { writeMessage } from '@wharf/announcer/dns/write-message.ts'
import { serviceType } from '@wharf/announcer/service-type.ts'
import { Sightings } from './sightings.ts'

const second = 1000
const link = 'eth0'
const head = { ttlSeconds: 120, flush: true }
const pointer = (label: string, ttlSeconds = 4500): ResourceRecord => ({
  ...{ type: 'PTR', name: serviceType, target: `${label}.${serviceType}` },
  ...{ ttlSeconds, flush: false },
})
const server = (label: string, target = `${label}.local`): ResourceRecord => ({
  ...head,
  ...{ type: 'SRV', name: `${label}.${serviceType}`, target, port: 22 },
})
const text = (label: string, ...strings: string[]): ResourceRecord => ({
  ...{ ...head, ttlSeconds: 4500 },
  ...{ type: 'TXT', name: `${label}.${serviceType}`, strings },
})
const address = (label: string, ip: string, more: { ttlSeconds?: number; flush?: boolean } = {}): ResourceRecord => ({
  ...{ ttlSeconds: 10, flush: true, name: `${label}.local`, address: ip, ...more },
  type: ip.includes(':') ? 'AAAA' : 'A',
})
const whole = (label: string, ip = '192.0.2.1'): ResourceRecord[] => [
  pointer(label),
  server(label),
  text(label, `sn=${label}`),
  address(label, ip),
]

/** As received. */
const announcement = (answers: ResourceRecord[], additionals: ResourceRecord[] = []): Message =>
  readMessage(writeMessage({ isResponse: true, answers, additionals }))

const addressesOf = (sightings: Sightings): string[] =>
  sightings
    .listPresent()
    .flatMap(({ host }) => [...(host?.addresses.ofType('A') ?? []), ...(host?.addresses.ofType('AAAA') ?? [])])

test('assembles a host from its records, in any order and number of messages', () => {
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
  ]) {
    const sightings = new Sightings()
    const records = whole('web')
    sightings.receive(link, announcement(order.map((at) => records[at] as ResourceRecord)), 0)
    assert.deepEqual(
      sightings.listPresent().map(({ facts }) => facts.sn),
      ['web'],
    )
  }
  const apart = new Sightings()
  for (const record of whole('web')) {
    assert.deepEqual(apart.listPresent(), [])
    apart.receive(link, announcement([], [record]), 0)
  }
  assert.equal(apart.listPresent().length, 1)
})

test('queries missing records at once and then at growing intervals', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement([pointer('web')]), 0)
  const queries: [number, string[]][] = []
  for (let at = 0; at < 10 * second; at += 250) {
    const questions = sightings.tick(at).get(link)
    if (questions) queries.push([at, questions.map(({ name, type }) => `${type} ${name}`)])
  }
  const details = [`SRV web.${serviceType}`, `TXT web.${serviceType}`]
  assert.deepEqual(
    queries,
    [0, 1000, 3000, 7000].map((at) => [at, details]),
  )
  sightings.receive(link, announcement([server('web'), text('web')]), 10 * second)
  assert.deepEqual(sightings.tick(10 * second).get(link), [
    { name: 'web.local', type: 'A' },
    { name: 'web.local', type: 'AAAA' },
  ])
})

test('queries an address before it expires, and removes the host without an answer', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  const before = sightings.version
  const queries: number[] = []
  let goneAt = 0
  for (let at = 0; at < 12 * second; at += 50) {
    if (sightings.tick(at).has(link) && at < 10 * second) queries.push(at)
    if (sightings.listPresent().length === 0) goneAt ||= at
  }
  assert.equal(queries.length, 4)
  for (const [at, share] of [0.8, 0.85, 0.9, 0.95].entries()) {
    const late = (queries[at] ?? 0) - share * 10 * second
    assert.ok(late >= 0 && late <= 0.02 * 10 * second + 50, `${queries}`)
  }
  assert.equal(goneAt, 10 * second)
  assert.notEqual(sightings.version, before)
  sightings.receive(link, announcement([address('web', '192.0.2.1')]), 30 * second)
  assert.equal(sightings.listPresent().length, 1, 'who is back is known')
})

test('an answer keeps the host, and is not a change', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  const { version } = sightings
  for (let at = 9 * second; at < 90 * second; at += 9 * second) {
    sightings.receive(link, announcement(whole('web')), at)
    sightings.tick(at)
    assert.equal(sightings.listPresent().length, 1)
  }
  assert.equal(sightings.version, version)
})

test('queries the details before they expire', () => {
  const sightings = new Sightings()
  const records = [pointer('web'), server('web'), text('web'), address('web', '192.0.2.1', { ttlSeconds: 4500 })]
  sightings.receive(link, announcement(records), 0)
  assert.equal(sightings.tick(95 * second).size, 0)
  assert.equal(sightings.tick(96 * second).get(link)?.length, 2)
  assert.equal(sightings.tick(96.5 * second).size, 0)
  sightings.receive(link, announcement([server('web'), text('web')]), 97 * second)
  assert.equal(sightings.tick(192 * second).size, 0)
})

for (const { name, goodbye, left } of [
  { name: 'of the service', goodbye: pointer('web', 0), left: 0 },
  { name: 'of the name', goodbye: { ...server('web'), ttlSeconds: 0 }, left: 0 },
  { name: 'of the last address', goodbye: address('web', '192.0.2.1', { ttlSeconds: 0 }), left: 0 },
  {
    name: 'of an address that nobody had',
    goodbye: address('web', '192.0.2.9', { ttlSeconds: 0, flush: false }),
    left: 1,
  },
  { name: 'of somebody else', goodbye: pointer('other', 0), left: 1 },
])
  test(`a goodbye ${name} takes effect at once`, () => {
    const sightings = new Sightings()
    sightings.receive(link, announcement(whole('web')), 0)
    sightings.receive(link, announcement([goodbye]), 1)
    assert.equal(sightings.listPresent().length, left)
  })

test('new addresses replace old ones, those of one set stay', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement([...whole('web'), address('web', '192.0.2.2'), address('web', 'fd00::1')]), 0)
  assert.deepEqual(addressesOf(sightings), ['192.0.2.1', '192.0.2.2', 'fd00::1'])
  sightings.receive(link, announcement([address('web', '192.0.2.3')]), 2 * second)
  assert.deepEqual(addressesOf(sightings), ['192.0.2.3', 'fd00::1'])
  sightings.receive(link, announcement([address('web', '192.0.2.4', { flush: false })]), 4 * second)
  assert.deepEqual(addressesOf(sightings), ['192.0.2.3', '192.0.2.4', 'fd00::1'])
})

test('prefers addresses with a wider scope and ignores unusable ones', () => {
  const sightings = new Sightings()
  const given = ['169.254.1.1', '10.0.0.9', 'fe80::1', 'fd00::1', '2001:db8::1', '127.0.0.1', '0.0.0.0', '224.0.0.251']
  const more = ['255.255.255.255', '::', '::1', '::ffff:10.0.0.1', 'ff02::fb']
  const records = [...given, ...more].map((ip) => address('web', ip))
  sightings.receive(link, announcement([pointer('web'), server('web'), text('web'), ...records]), 0)
  assert.deepEqual(addressesOf(sightings), ['10.0.0.9', '169.254.1.1', '2001:db8::1', 'fd00::1', 'fe80::1'])
})

test('the same name on another link is another host', () => {
  const sightings = new Sightings()
  sightings.receive('eth0', announcement(whole('web', '192.0.2.1')), 0)
  sightings.receive('eth1', announcement(whole('web', '198.51.100.1')), 0)
  assert.deepEqual(addressesOf(sightings), ['192.0.2.1', '198.51.100.1'])
  sightings.receive('eth0', announcement([pointer('web', 0)]), 1)
  assert.deepEqual(addressesOf(sightings), ['198.51.100.1'])
})

test('names are case-insensitive', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  sightings.receive(
    link,
    announcement([{ ...pointer('WEB'), name: serviceType.toUpperCase() }, server('Web', 'WEB.local')]),
    1,
  )
  assert.equal(sightings.size, 1)
})

test('reads facts as RFC 6763 has it: the first of equal keys, none without "="', () => {
  const sightings = new Sightings()
  const strings = ['SN=first', 'sn=second', 'product', '=x', 'manufacturer=a=b', 'other=1', '']
  sightings.receive(
    link,
    announcement([pointer('web'), server('web'), text('web', ...strings), address('web', '192.0.2.1')]),
    0,
  )
  const [{ facts } = { facts: {} }] = sightings.listPresent()
  assert.deepEqual(
    Object.entries(facts).filter(([, value]) => value !== undefined),
    [
      ['sn', 'first'],
      ['manufacturer', 'a=b'],
    ],
  )
})

test('accepts services up to its limit, and keeps the present ones', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('first')), 0)
  for (let n = 0; n < 20_000; n++) sightings.receive(link, announcement([pointer(`flood-${n}`, 2 ** 31 - 1)]), 1)
  assert.equal(sightings.size, 16_384)
  sightings.receive(link, announcement(whole('late')), 2)
  assert.deepEqual(
    sightings.listPresent().map(({ facts }) => facts.sn),
    ['first'],
  )
  // names without addresses make room after a while
  sightings.receive(link, announcement([address('first', '192.0.2.1')]), 9 * second)
  sightings.receive(link, announcement(whole('late')), 11 * second)
  assert.deepEqual(
    sightings
      .listPresent()
      .map(({ facts }) => facts.sn)
      .sort(),
    ['first', 'late'],
  )
  assert.ok(sightings.size < 10)
})

test('a host can have no more than sixteen addresses', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  for (let n = 0; n < 100; n++)
    sightings.receive(link, announcement([address('web', `10.0.0.${n}`, { flush: false })]), 1)
  assert.equal(addressesOf(sightings).length, 16)
})

test('a host without service is removed, although others announce its addresses', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  for (let now = 0; now <= 200 * second; now += 5 * second) {
    sightings.receive(link, announcement([address('web', '192.0.2.1')]), now)
    sightings.tick(now)
    assert.equal(sightings.listPresent().length, now < 120 * second ? 1 : 0, `${now / second} s`)
  }
})

test('removes an absent service when its record has expired', () => {
  const sightings = new Sightings()
  sightings.receive(link, announcement(whole('web')), 0)
  sightings.tick(4499 * second)
  assert.equal(sightings.size, 1)
  sightings.tick(4500 * second)
  assert.equal(sightings.size, 0)
})
