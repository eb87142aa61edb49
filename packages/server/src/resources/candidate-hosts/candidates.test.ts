import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { serviceType } from '@wharf/announcer/service-type.ts'
import { type Candidate, candidateOf, maxCandidates, mergeCandidates } from './candidates.ts'
import { Sightings } from './discovery/sightings.ts'
import { matchAddedHosts } from './match-added-hosts.ts'

const here = { nodeUuid: 'this-node', addresses: new Set(['192.0.2.100']) }

interface Announced {
  label?: string
  link?: string
  txt?: string[]
  addresses?: string[]
}

function seen(...announced: Announced[]): Candidate[] {
  const sightings = new Sightings()
  for (const { label = 'web', link = 'eth0', txt = [], addresses = ['192.0.2.1'] } of announced) {
    const name = `${label}.${serviceType}`
    const head = { ttlSeconds: 120, flush: false }
    const answers: ResourceRecord[] = [
      { ...head, type: 'PTR', name: serviceType, target: name },
      { ...head, type: 'SRV', name, target: `${label}.local`, port: 22 },
      { ...head, type: 'TXT', name, strings: txt },
      ...addresses.map((address) => ({
        ...head,
        name: `${label}.local`,
        type: address.includes(':') ? ('AAAA' as const) : ('A' as const),
        address,
      })),
    ]
    sightings.receive(link, { id: 0, isResponse: true, questions: [], authorities: [], additionals: [], answers }, 0)
  }
  return mergeCandidates(sightings.listPresent().map((service) => candidateOf(service, here)))
}

test('unset fields are null', () => {
  assert.deepEqual(seen({}), [
    {
      identity: `name:eth0/web.${serviceType}`,
      hostName: 'web',
      ipv4Address: '192.0.2.1',
      ipv6Address: null,
      ipv4Interface: null,
      ipv6Interface: null,
      manufacturer: null,
      product: null,
      sn: null,
      addresses: ['192.0.2.1'],
      nodeUuid: null,
    },
  ])
})

for (const { txt, identity, sn } of [
  { txt: ['sn=SN-1', 'id=abc'], identity: 'sn:SN-1', sn: 'SN-1' },
  { txt: ['sn=', 'id=abc'], identity: 'id:abc', sn: null },
  { txt: ['sn=To be filled by O.E.M.', 'id=abc'], identity: 'id:abc', sn: null },
  { txt: ['sn=NONE', 'id=abc'], identity: 'id:abc', sn: null },
  { txt: ['sn=00000000', 'id=abc'], identity: 'id:abc', sn: null },
  { txt: ['sn=not  specified', 'id=abc'], identity: 'id:abc', sn: null },
  { txt: ['sn= S\u0000N\u202e-\u001b1\u2028 ', 'id=abc'], identity: 'sn:SN-1', sn: 'SN-1' },
])
  test(`identifies a host by ${JSON.stringify(txt)}`, () => {
    const [candidate] = seen({ txt })
    assert.deepEqual([candidate?.identity, candidate?.sn], [identity, sn])
  })

test('values have no control characters and no more than 255 characters', () => {
  const name = 'y'.repeat(240)
  const [candidate] = seen({
    label: 'we\tb\u0000',
    txt: [`manufacturer=\u0007${name}`, 'product=A\nB', 'ipv4Interface=e\rth0'],
  })
  assert.deepEqual(
    [candidate?.hostName, candidate?.manufacturer, candidate?.product, candidate?.ipv4Interface],
    ['web', name, 'AB', 'eth0'],
  )
})

test('a host on two links is listed once, each address with its interface', () => {
  const first = { link: 'eth0', txt: ['sn=S', 'ipv6Interface=a'], addresses: ['fd00::1'] }
  const second = {
    link: 'eth1',
    txt: ['sn=S', 'product=P', 'ipv4Interface=b', 'ipv6Interface=b'],
    addresses: ['10.0.0.1', 'fd01::1'],
  }
  const [candidate, ...more] = seen(first, second)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [
      candidate?.ipv4Address,
      candidate?.ipv4Interface,
      candidate?.ipv6Address,
      candidate?.ipv6Interface,
      candidate?.product,
    ],
    ['10.0.0.1', 'b', 'fd00::1', 'a', 'P'],
  )
  assert.deepEqual(candidate?.addresses, ['fd00::1', '10.0.0.1', 'fd01::1'])
})

test('with two interfaces on one link, each address keeps its interface', () => {
  const first = { txt: ['sn=S', 'ipv4Interface=a', 'ipv6Interface=a'], addresses: ['10.0.0.1', 'fd00::1'] }
  const [candidate] = seen(first, { txt: ['sn=S', 'ipv6Interface=b'], addresses: ['fe80::2'] })
  assert.deepEqual(
    [candidate?.ipv4Address, candidate?.ipv4Interface, candidate?.ipv6Address, candidate?.ipv6Interface],
    ['10.0.0.1', 'a', 'fd00::1', 'a'],
  )
})

test('lists by name, within the limit of the contract', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({
    label: `host-${String(n).padStart(5, '0')}`,
    txt: [`sn=S${n}`],
  }))
  const candidates = seen(...many.reverse())
  assert.equal(candidates.length, maxCandidates)
  assert.deepEqual(
    candidates.map(({ hostName }) => hostName),
    candidates.map(({ hostName }) => hostName).sort(),
  )
})

const host = (change: object) => ({ address: '203.0.113.9', sn: null, managementNodeUuid: null, ...change })
const candidate = { label: 'web', txt: ['sn=SN-1'], addresses: ['192.0.2.1', '192.0.2.2', 'fd00::1'] }

for (const { what, added, is } of [
  { what: 'by its address', added: host({ address: '192.0.2.1' }), is: true },
  { what: 'by another address of it', added: host({ address: '192.0.2.2' }), is: true },
  { what: 'by an IPv6 address, however it is written', added: host({ address: 'FD00:0:0::0001' }), is: true },
  { what: 'by an IPv6 address with a zone', added: host({ address: 'fd00::1%eth0' }), is: true },
  { what: 'by its name', added: host({ address: 'WEB' }), is: true },
  { what: 'by its name on the link', added: host({ address: 'web.local.' }), is: true },
  { what: 'by its serial number', added: host({ sn: 'SN-1' }), is: true },
  { what: 'not by another address', added: host({ address: '192.0.2.3' }), is: false },
  { what: 'not by a longer name', added: host({ address: 'web.example.com' }), is: false },
  { what: 'not by another serial number', added: host({ sn: 'SN-10' }), is: false },
])
  test(`recognises an added host ${what}`, () => assert.deepEqual(seen(candidate).map(matchAddedHosts([added])), [is]))

test('hosts without serial numbers are different hosts', () => {
  assert.deepEqual(seen({ txt: ['sn=None', 'id=1'] }).map(matchAddedHosts([host({ sn: 'None' })])), [false])
})

test('the machine of a management node is added when that node has it as a host', () => {
  const isAdded = matchAddedHosts([host({ address: '127.0.0.1', managementNodeUuid: 'this-node' })])
  assert.deepEqual(seen({ addresses: ['192.0.2.100'] }).map(isAdded), [true])
  assert.deepEqual(seen({ addresses: ['192.0.2.101'] }).map(isAdded), [false])
})
