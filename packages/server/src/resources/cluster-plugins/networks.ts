import type { ClusterConfiguration } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { hasAddress, type NodeAddresses, queryAddresses } from './node-addresses.ts'
import { unreachedPairs } from './ssh-reachability.ts'

/** sshd admits ten sessions of a connection by default. */
const maxConcurrentQueries = 4
const maxShownAddresses = 8

interface ReportedNode {
  readonly node: string
  readonly addresses: readonly string[]
}

/**
 * Before anything changes: all nodes reach each other, and each has an address in every network. The error
 * lists every problem, not only the first.
 */
export async function requireNetworks(
  driver: HostDriver,
  configuration: ClusterConfiguration,
  signal: AbortSignal,
): Promise<void> {
  const { managementIp: first, otherManagementIp, otherStorageIp } = configuration
  const own = await queryAddresses(driver, signal)
  if ('failure' in own) throw unreported([`${first} (${own.failure})`])
  // the other checks run from this host, so they are meaningless on another machine
  if (!hasAddress(own.addresses, first))
    throw invalid(
      `updateClusterConfig.managementIp ${first} is not an address of the host of the software package; it has ${formatAddresses(own.addresses)}`,
    )
  const pairs = await unreachedPairs(driver, [first, ...otherManagementIp], signal)
  const others = [...otherManagementIp, ...otherStorageIp.filter((node) => !hasAddress(own.addresses, node))]
  const answers = await queryEach(driver, others, signal)

  const failed = answers.flatMap(({ node, answer }) => ('failure' in answer ? [{ node, ...answer }] : []))
  const unreached = failed.filter(({ isUnreached }) => isUnreached)
  const unlisted = unreached.filter(({ node }) => !pairs.some((pair) => pair.startsWith(`${first} → ${node} `)))
  const unreachable = [...pairs, ...unlisted.map(({ node, failure }) => `${first} → ${node} (${failure})`)]
  const unreportedNodes = failed
    .filter(({ isUnreached }) => !isUnreached)
    .map(({ node, failure }) => `${node} (${failure})`)
  const reported: ReportedNode[] = [
    { node: first, addresses: own.addresses },
    ...answers.flatMap(({ node, answer }) => ('failure' in answer ? [] : [{ node, addresses: answer.addresses }])),
  ]
  const problems = [
    ...sharedMachines(reported, [first, ...otherManagementIp]),
    ...reported.flatMap(addressProblems(configuration)),
  ]
  refuse(unreachable, unreportedNodes, problems)
}

async function queryEach(driver: HostDriver, nodes: readonly string[], signal: AbortSignal) {
  const answers: { node: string; answer: NodeAddresses }[] = []
  for (let at = 0; at < nodes.length; at += maxConcurrentQueries)
    answers.push(
      ...(await Promise.all(
        nodes
          .slice(at, at + maxConcurrentQueries)
          .map(async (node) => ({ node, answer: await queryAddresses(driver, signal, node) })),
      )),
    )
  return answers
}

/** Each address must belong to a different machine. */
const sharedMachines = (reported: readonly ReportedNode[], nodes: readonly string[]): string[] =>
  reported.flatMap(({ node, addresses }) =>
    nodes
      .slice(nodes.indexOf(node) + 1)
      .filter((other) => nodes.includes(node) && hasAddress(addresses, other))
      .map((other) => `${node} and ${other} are addresses of one machine`),
  )

const addressProblems =
  (configuration: ClusterConfiguration) =>
  ({ node, addresses }: ReportedNode): string[] => {
    const missingNetworks = networksOf(configuration).filter(({ cidr }) => !isInside(addresses, cidr))
    const foreignAddress = hasAddress(addresses, node)
      ? []
      : [`the machine that answers at ${node} does not have that address`]
    const missing = missingNetworks.map(({ fields, cidr }) => `node ${node} has no address in ${fields} ${cidr}`)
    return foreignAddress.length + missing.length === 0
      ? []
      : [`${[...foreignAddress, ...missing].join(', ')} (it has ${formatAddresses(addresses)})`]
  }

/** Each network once, with the fields that name it. Gateways may be other machines, so their network is not included. */
function networksOf(configuration: ClusterConfiguration): { fields: string; cidr: string }[] {
  const { managementNetworkCidr, publicNetworkCidr, clusterNetworkCidr } = configuration
  const all = { managementNetworkCidr, publicNetworkCidr, clusterNetworkCidr }
  const byCidr = Map.groupBy(Object.entries(all), ([, cidr]) => cidr)
  return [...byCidr].map(([cidr, fields]) => ({ cidr, fields: fields.map(([name]) => name).join(' and ') }))
}

function isInside(addresses: readonly string[], cidr: string): boolean {
  const network = parseCidr(cidr)
  return addresses.some((text) => {
    const address = parseAddress(text)
    return network !== undefined && address !== undefined && contains(network, address)
  })
}

const formatAddresses = (addresses: readonly string[]): string =>
  addresses.length > maxShownAddresses
    ? `${addresses.slice(0, maxShownAddresses).join(', ')} and ${addresses.length - maxShownAddresses} more`
    : addresses.join(', ')

const unreported = (nodes: readonly string[]): ApiError =>
  new ApiError(
    'ClusterPlugin.1002',
    `the program ip (package iproute2) did not report the addresses of ${nodes.join(', ')}; install iproute2 there`,
  )

/** One error names every problem, so that all can be fixed at once. */
function refuse(unreachable: readonly string[], unreportedNodes: readonly string[], problems: readonly string[]): void {
  const networkProblems = `the networks do not fit the nodes: ${problems.join('; ')}; give each node an address in every network, or correct the networks`
  const more = [
    ...(unreportedNodes.length > 0 ? [unreported(unreportedNodes).message] : []),
    ...(problems.length > 0 ? [networkProblems] : []),
  ]
  if (unreachable.length > 0) {
    const pairs = `these nodes cannot reach each other by SSH without a password: ${unreachable.join('; ')}`
    throw new ApiError('ClusterPlugin.1003', [pairs, ...more].join('. Also, '))
  }
  if (unreportedNodes.length > 0) throw new ApiError('ClusterPlugin.1002', more.join('. Also, '))
  if (problems.length > 0) throw invalid(`updateClusterConfig: ${networkProblems}`)
}
