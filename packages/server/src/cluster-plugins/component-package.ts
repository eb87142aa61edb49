import { lookup } from 'node:dns/promises'
import type { JobContext } from '../jobs/definition.ts'
import { parseAddress } from '../platform/cidr.ts'
import { type PackageRow, standardApiPort } from '../software-packages/service.ts'
import { canonicalHost } from './component-address.ts'
import type { FormedCluster } from './formed-cluster.ts'
import type { JobParts } from './jobs/parts.ts'
import { queryAddresses } from './node-addresses.ts'

/** A host that does not report its addresses in this time is not the one that was meant. */
const addressesMs = 5000

export interface ComponentPackage {
  readonly row: PackageRow
  readonly apiPort: number
  /** What is known of the cluster from the plugin that ran on the package before. */
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
  parts: JobParts,
  { managementIp, apiPort }: { managementIp: string; apiPort: number | undefined },
): Promise<ComponentPackage | undefined> {
  const candidates = (await parts.packages.listClusterPackages()).flatMap((row): ComponentPackage[] => {
    const formed = parts.plugins.formedOn(row)
    const port = formed?.apiPort ?? parts.packages.manifestOf(row).cluster?.apiPort ?? standardApiPort
    return apiPort === undefined || port === apiPort ? [{ row, apiPort: port, formed }] : []
  })
  if (candidates.length === 0) return undefined
  const wanted = new Set([managementIp, ...(await addressesOf(managementIp))].map(canonicalHost))
  const byHost = Map.groupBy(candidates, ({ row }) => row.hostUuid ?? '')
  const hosts = await Promise.all([...byHost.keys()].map((uuid) => parts.hosts.get(uuid)))
  const here = hosts.filter((host) => !parts.hosts.isElsewhere(host))
  const named = here.find(({ address }) => wanted.has(canonicalHost(address)))
  if (named) return likeliest(byHost.get(named.uuid))
  const isUsable = ({ state, status }: (typeof hosts)[number]) => state === 'Enabled' && status === 'Connected'
  for (const { name, state, status } of here.filter((host) => !isUsable(host)))
    context.log(`host ${name} was not checked for ${managementIp}: it is ${state} and ${status}`)
  const owned = await Promise.all(
    here.filter(isUsable).map(async (host) => ({ host, addresses: await ownAddresses(context, parts, host) })),
  )
  const owner = owned.find(({ addresses }) => addresses.some((address) => wanted.has(canonicalHost(address))))
  return owner && likeliest(byHost.get(owner.host.uuid))
}

/** Of several packages on a host the one that has formed a cluster, however many newer ones are only installed. */
function likeliest(candidates: readonly ComponentPackage[] = []): ComponentPackage | undefined {
  const rank = ({ formed, row }: ComponentPackage) => (formed ? 2 : row.status === 'Initialized' ? 1 : 0)
  return candidates.toSorted((a, b) => rank(b) - rank(a))[0]
}

/** A host may have more addresses than the one it was added by. */
async function ownAddresses(
  context: JobContext,
  { hosts }: JobParts,
  { uuid, name }: { uuid: string; name: string },
): Promise<readonly string[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(addressesMs)])
  try {
    const found = await queryAddresses((await hosts.usable(uuid)).driver, signal)
    if ('addresses' in found) return found.addresses
    context.log(`host ${name} did not report its addresses: ${found.failure}`)
  } catch (error) {
    context.signal.throwIfAborted()
    context.log(`host ${name} did not report its addresses: ${error instanceof Error ? error.message : String(error)}`)
  }
  return []
}
