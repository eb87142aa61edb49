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
  if (named) return byHost.get(named.uuid)?.[0]
  const owned = await Promise.all(
    here
      .filter(({ state, status }) => state === 'Enabled' && status === 'Connected')
      .map(async (host) => ({ host, addresses: await ownAddresses(context, parts, host) })),
  )
  const owner = owned.find(({ addresses }) => addresses.some((address) => wanted.has(canonicalHost(address))))
  return owner && byHost.get(owner.host.uuid)?.[0]
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
