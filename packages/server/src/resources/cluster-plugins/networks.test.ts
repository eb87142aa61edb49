import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterConfiguration } from '@wharf/contract'
import type { HostDriver } from '../hosts/driver.ts'
import { requireNetworks } from './networks.ts'

const configuration: ClusterConfiguration = {
  managementIp: '10.0.0.1',
  otherManagementIp: ['10.0.0.2', '10.0.0.3'],
  otherStorageIp: [],
  managementNetworkCidr: '10.0.0.0/24',
  publicNetworkCidr: '10.1.0.0/24',
  clusterNetworkCidr: '10.2.0.0/24',
  gatewayNetworkCidr: '10.1.0.0/24',
  username: 'admin',
  password: 'secret',
}

const refused = 'ssh: connect to host port 22: Connection refused'
type Machine = readonly string[] | { readonly exitCode: number; readonly line: string }
const on = (last: number): string[] => [`10.0.0.${last}`, `10.1.0.${last}`, `10.2.0.${last}`]
const three: Record<string, Machine> = { '10.0.0.1': on(1), '10.0.0.2': on(2), '10.0.0.3': on(3) }

/** The first of these machines as the host, which signs in to the others; an entry in `cut` is a pair that fails. */
function driverOf(machines: Record<string, Machine>, cut: readonly string[] = []): HostDriver {
  const [first = ''] = Object.keys(machines)
  const run: HostDriver['run'] = async (argv, { onLine }) => {
    const signIns = argv.flatMap((word, index) => (word === '--' ? [argv[index + 1] ?? ''] : []))
    const path = [first, ...signIns]
    const machine = machines[path.at(-1) ?? '']
    const isCut = path.some((to, index) => index > 0 && cut.includes(`${path[index - 1]} ${to}`))
    if (machine === undefined || isCut) {
      onLine?.(refused, 'stderr')
      return { exitCode: 255 }
    }
    if (argv.at(-1) === 'true') return { exitCode: 0 }
    if ('exitCode' in machine) {
      onLine?.(machine.line, 'stderr')
      return machine
    }
    onLine?.('1: lo    inet 127.0.0.1/8 scope host lo', 'stdout')
    for (const address of machine)
      onLine?.(`2: eth0    inet${address.includes(':') ? '6' : ''} ${address}/24 scope global eth0`, 'stdout')
    return { exitCode: 0 }
  }
  return { run } as HostDriver
}

const check = (machines: Record<string, Machine>, change: Partial<ClusterConfiguration> = {}, cut: string[] = []) =>
  requireNetworks(driverOf(machines, cut), { ...configuration, ...change }, AbortSignal.timeout(5000))

test('three nodes with an address in every network pass', () => assert.doesNotReject(check(three)))

test('a storage node with an address in every network passes, also when it is one of the three', () =>
  assert.doesNotReject(
    check({ ...three, '10.2.0.9': on(9), '10.2.0.2': on(2) }, { otherStorageIp: ['10.2.0.9', '10.2.0.1', '10.2.0.2'] }),
  ))

test('IPv6 addresses are compared in any notation', () => {
  const at = (last: number) => [`fd00:0::${last}`, `fd01::${last}`]
  const machines = { 'fd00::1': at(1), 'fd00::2': at(2), 'fd00::3': at(3) }
  const places = { managementIp: 'fd00::1', otherManagementIp: ['fd00::2', 'fd00::3'] }
  const networks = { publicNetworkCidr: 'fd01::/64', clusterNetworkCidr: 'fd01::/64', gatewayNetworkCidr: 'fd01::/64' }
  return assert.doesNotReject(check(machines, { ...places, ...networks, managementNetworkCidr: 'fd00::/64' }))
})

const failures: [
  name: string,
  machines: Record<string, Machine>,
  change: Partial<ClusterConfiguration>,
  code: string,
  parts: readonly string[],
][] = [
  [
    'a network that no node is in, by every node',
    three,
    { publicNetworkCidr: '203.0.113.0/24' },
    'SYS.1007',
    [1, 2, 3].map((last) => `node 10.0.0.${last} has no address in publicNetworkCidr 203.0.113.0/24`),
  ],
  [
    'one node that is missing in one network, with the addresses that it has',
    { ...three, '10.0.0.3': ['10.0.0.3', '10.1.0.3'] },
    {},
    'SYS.1007',
    ['node 10.0.0.3 has no address in clusterNetworkCidr 10.2.0.0/24 (it has 127.0.0.1, 10.0.0.3, 10.1.0.3)'],
  ],
  [
    'a network that is given in two fields, once',
    three,
    { publicNetworkCidr: '203.0.113.0/24', clusterNetworkCidr: '203.0.113.0/24', gatewayNetworkCidr: '203.0.113.0/24' },
    'SYS.1007',
    ['node 10.0.0.1 has no address in publicNetworkCidr and clusterNetworkCidr 203.0.113.0/24 ('],
  ],
  [
    'a node that is reached under an address that it does not have',
    { ...three, '10.0.0.2': ['10.0.0.22', '10.1.0.2', '10.2.0.2'] },
    {},
    'SYS.1007',
    ['the machine that answers at 10.0.0.2 does not have that address'],
  ],
  [
    'two addresses of one machine',
    { ...three, '10.0.0.2': [...on(2), '10.0.0.3'], '10.0.0.3': [...on(2), '10.0.0.3'] },
    {},
    'SYS.1007',
    ['10.0.0.2 and 10.0.0.3 are addresses of one machine'],
  ],
  [
    'an address that the host of the package does not have',
    { '10.0.0.7': on(7), '10.0.0.2': on(2), '10.0.0.3': on(3) },
    {},
    'SYS.1007',
    ['managementIp 10.0.0.1 is not an address of the host of the software package; it has 127.0.0.1, 10.0.0.7'],
  ],
  [
    'a storage node that is missing in a network',
    { ...three, '10.2.0.9': ['10.2.0.9', '10.0.0.9'] },
    { otherStorageIp: ['10.2.0.9'] },
    'SYS.1007',
    ['node 10.2.0.9 has no address in publicNetworkCidr 10.1.0.0/24'],
  ],
  [
    'a storage node that does not answer',
    three,
    { otherStorageIp: ['10.2.0.9'] },
    'ClusterPlugin.1003',
    [`10.0.0.1 → 10.2.0.9 (${refused})`],
  ],
  [
    'nodes that are away and nodes that are misplaced, at once',
    { '10.0.0.1': on(1), '10.0.0.2': ['10.0.0.2'] },
    { otherStorageIp: ['10.2.0.9'] },
    'ClusterPlugin.1003',
    [
      `10.0.0.1 → 10.0.0.3 (${refused})`,
      '10.0.0.3 → 10.0.0.2 (not tried',
      `10.0.0.1 → 10.2.0.9 (${refused})`,
      'node 10.0.0.2 has no address in publicNetworkCidr 10.1.0.0/24, node 10.0.0.2 has no address in clusterNetworkCidr',
    ],
  ],
  [
    'a node without the program ip',
    { ...three, '10.0.0.3': { exitCode: 127, line: "env: 'ip': No such file or directory" } },
    {},
    'ClusterPlugin.1002',
    ["did not report the addresses of 10.0.0.3 (env: 'ip': No such file or directory); install iproute2 there"],
  ],
]
for (const [name, machines, change, code, parts] of failures)
  test(`names ${name}`, async () => {
    const error = await check(machines, change).catch((thrown: { code: string; message: string }) => thrown)
    assert.ok(error)
    assert.equal(error.code, code, error.message)
    for (const part of parts) assert.ok(error.message.includes(part), error.message)
  })

test('a pair that fails in one direction only is named', () =>
  assert.rejects(check(three, {}, ['10.0.0.2 10.0.0.3']), {
    code: 'ClusterPlugin.1003',
    message: /10\.0\.0\.2 → 10\.0\.0\.3/,
  }))
