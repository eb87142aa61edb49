import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'
import type { HostDriver } from '../hosts/driver.ts'
import type { ClusterConfiguration } from './configuration.ts'
import { hasAddress, type NodeAddresses, queryAddresses } from './node-addresses.ts'
import { unreachedPairs } from './reach.ts'

/** sshd admits ten sessions of a connection by default. */
const queriesAtOnce = 4
const maxShownAddresses = 8

interface KnownNode {
  readonly node: string
  readonly addresses: readonly string[]
}

/**
 * Before anything changes: all nodes reach each other, and each has an address in every network. Throws with everything
 * that is wrong, not only the first.
 */
export async function requireNetworks(
  driver: HostDriver,
  configuration: ClusterConfiguration,
  signal: AbortSignal,
): Promise<void> {
  const { managementIp: first, otherManagementIp, otherStorageIp } = configuration
  const own = await queryAddresses(driver, signal)
  if ('failure' in own) throw unreported([`${first} (${own.failure})`])
  // seen from another machine, nothing else would mean anything
  if (!hasAddress(own.addresses, first))
    throw invalid(
      `updateClusterConfig.managementIp ${first} is no address of the host that the software package is on; it has ${shown(own.addresses)}`,
    )
  const pairs = await unreachedPairs(driver, [first, ...otherManagementIp], signal)
  const others = [...otherManagementIp, ...otherStorageIp.filter((node) => !hasAddress(own.addresses, node))]
  const answers = await queryEach(driver, others, signal)

  const failed = answers.flatMap(({ node, answer }) => ('failure' in answer ? [{ node, ...answer }] : []))
  const unreached = failed.filter(({ isUnreached }) => isUnreached)
  const unlisted = unreached.filter(({ node }) => !pairs.some((pair) => pair.startsWith(`${first} → ${node} `)))
  const unreachable = [...pairs, ...unlisted.map(({ node, failure }) => `${first} → ${node} (${failure})`)]
  const silent = failed.filter(({ isUnreached }) => !isUnreached).map(({ node, failure }) => `${node} (${failure})`)
  const known: KnownNode[] = [
    { node: first, addresses: own.addresses },
    ...answers.flatMap(({ node, answer }) => ('failure' in answer ? [] : [{ node, addresses: answer.addresses }])),
  ]
  const wrong = [...oneMachine(known, [first, ...otherManagementIp]), ...known.flatMap(misplaced(configuration))]
  refuse(unreachable, silent, wrong)
}

async function queryEach(driver: HostDriver, nodes: readonly string[], signal: AbortSignal) {
  const answers: { node: string; answer: NodeAddresses }[] = []
  for (let at = 0; at < nodes.length; at += queriesAtOnce)
    answers.push(
      ...(await Promise.all(
        nodes
          .slice(at, at + queriesAtOnce)
          .map(async (node) => ({ node, answer: await queryAddresses(driver, signal, node) })),
      )),
    )
  return answers
}

/** Three addresses of two machines are no cluster of three. */
const oneMachine = (known: readonly KnownNode[], nodes: readonly string[]): string[] =>
  known.flatMap(({ node, addresses }) =>
    nodes
      .slice(nodes.indexOf(node) + 1)
      .filter((other) => nodes.includes(node) && hasAddress(addresses, other))
      .map((other) => `${node} and ${other} are addresses of one machine`),
  )

const misplaced =
  (configuration: ClusterConfiguration) =>
  ({ node, addresses }: KnownNode): string[] => {
    const lacking = networksOf(configuration).filter(({ cidr }) => !isInside(addresses, cidr))
    const strange = hasAddress(addresses, node)
      ? []
      : [`the machine that answers at ${node} does not have that address`]
    const missing = lacking.map(({ fields, cidr }) => `node ${node} has no address in ${fields} ${cidr}`)
    return strange.length + missing.length === 0
      ? []
      : [`${[...strange, ...missing].join(', ')} (it has ${shown(addresses)})`]
  }

/** Each network once, with the fields that name it. Gateways may be other machines, so theirs is not among them. */
function networksOf(configuration: ClusterConfiguration): { fields: string; cidr: string }[] {
  const { managementNetworkCidr, publicNetworkCidr, clusterNetworkCidr } = configuration
  const all = { managementNetworkCidr, publicNetworkCidr, clusterNetworkCidr }
  const byCidr = Map.groupBy(Object.entries(all), ([, cidr]) => cidr)
  return [...byCidr].map(([cidr, fields]) => ({ cidr, fields: fields.map(([name]) => name).join(' and ') }))
}

function isInside(addresses: readonly string[], text: string): boolean {
  const network = parseCidr(text)
  return addresses.some((one) => {
    const address = parseAddress(one)
    return network !== undefined && address !== undefined && contains(network, address)
  })
}

const shown = (addresses: readonly string[]): string =>
  addresses.length > maxShownAddresses
    ? `${addresses.slice(0, maxShownAddresses).join(', ')} and ${addresses.length - maxShownAddresses} more`
    : addresses.join(', ')

const unreported = (nodes: readonly string[]): ApiError =>
  new ApiError(
    'ClusterPlugin.1002',
    `the program ip (package iproute2) did not report the addresses of ${nodes.join(', ')}; install iproute2 there`,
  )

/** One error names every problem, so that all can be fixed at once. */
function refuse(unreachable: readonly string[], silent: readonly string[], wrong: readonly string[]): void {
  const misfits = `the networks do not fit the nodes: ${wrong.join('; ')}; give each node an address in every network, or correct the networks`
  const more = [...(silent.length > 0 ? [unreported(silent).message] : []), ...(wrong.length > 0 ? [misfits] : [])]
  if (unreachable.length > 0) {
    const pairs = `these nodes cannot reach each other by SSH without a password: ${unreachable.join('; ')}`
    throw new ApiError('ClusterPlugin.1003', [pairs, ...more].join('. Also, '))
  }
  if (silent.length > 0) throw new ApiError('ClusterPlugin.1002', more.join('. Also, '))
  if (wrong.length > 0) throw invalid(`updateClusterConfig: ${misfits}`)
}
