import { lookup } from 'node:dns/promises'
import { canonicalHost } from '@wharf/platform/canonical-host.ts'
import { parseAddress } from '@wharf/platform/cidr.ts'
import type { JobContext } from '../../jobs/definition.ts'
import { defaultApiPort, type PackageRow } from '../software-packages/service.ts'
import type { FormedCluster } from './formed-cluster.ts'
import type { ClusterJobDeps } from './jobs/cluster-job-deps.ts'
import { queryAddresses } from './node-addresses.ts'

/** A host that does not report its addresses within this time is skipped. */
const addressesTimeoutMs = 5000

/** The package, or else the hosts that could not be checked. */
export interface PackageSearch {
  readonly found: ComponentPackage | undefined
  readonly unchecked: readonly string[]
}

export interface ComponentPackage {
  readonly row: PackageRow
  readonly apiPort: number
  /** The cluster of a removed plugin that runs on the package. */
  readonly formed: FormedCluster | undefined
}

/** The addresses of a host name, or the address itself. */
export async function addressesOf(host: string): Promise<string[]> {
  if (parseAddress(host)) return [host]
  return lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
}

/** The installed package that runs the component: on the host that has its address, and for its port. */
export async function findComponentPackage(
  context: JobContext,
  deps: ClusterJobDeps,
  { managementIp, apiPort }: { managementIp: string; apiPort: number | undefined },
): Promise<PackageSearch> {
  const candidates = (await deps.packages.listClusterPackages()).flatMap((row): ComponentPackage[] => {
    const formed = deps.plugins.formedOn(row)
    const port = formed?.apiPort ?? deps.packages.manifestOf(row).cluster?.apiPort ?? defaultApiPort
    return apiPort === undefined || port === apiPort ? [{ row, apiPort: port, formed }] : []
  })
  if (candidates.length === 0) return { found: undefined, unchecked: [] }
  const wanted = new Set([managementIp, ...(await addressesOf(managementIp))].map(canonicalHost))
  const byHost = Map.groupBy(candidates, ({ row }) => row.hostUuid ?? '')
  const hosts = await Promise.all([...byHost.keys()].map((uuid) => deps.hosts.get(uuid)))
  const here = hosts.filter((host) => !deps.hosts.isElsewhere(host))
  const named = here.find(({ address }) => wanted.has(canonicalHost(address)))
  if (named) return { found: preferFormed(byHost.get(named.uuid)), unchecked: [] }
  const checked = await Promise.all(hosts.map(async (host) => ({ host, ...(await addressesOn(context, deps, host)) })))
  const owner = checked.find(({ addresses }) => addresses.some((address) => wanted.has(canonicalHost(address))))
  if (owner) return { found: preferFormed(byHost.get(owner.host.uuid)), unchecked: [] }
  const unchecked = checked.flatMap(({ host, failure }) => (failure === undefined ? [] : [`${host.name} (${failure})`]))
  return { found: undefined, unchecked }
}

/** Of several packages on a host, the one that has formed a cluster, also when newer ones are installed. */
function preferFormed(candidates: readonly ComponentPackage[] = []): ComponentPackage | undefined {
  const rank = ({ formed, row }: ComponentPackage) => (formed ? 2 : row.status === 'Initialized' ? 1 : 0)
  return candidates.toSorted((a, b) => rank(b) - rank(a))[0]
}

/** A host may have more addresses than the one it was added with. */
async function addressesOn(
  context: JobContext,
  { hosts }: ClusterJobDeps,
  { uuid }: { uuid: string },
): Promise<{ addresses: readonly string[]; failure?: string }> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(addressesTimeoutMs)])
  try {
    const answer = await queryAddresses((await hosts.usable(uuid)).driver, signal)
    return 'addresses' in answer ? answer : { addresses: [], failure: answer.failure }
  } catch (error) {
    context.signal.throwIfAborted()
    return { addresses: [], failure: error instanceof Error ? error.message : String(error) }
  }
}
