import type { Tx } from '@wharf/database/database.ts'
import type { CallContext } from '../../../calls/call-context.ts'
import type { HostRow } from '../../hosts/service.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

/** The host of the plugin's package, from which its component is reached; refuses a caller who may not work on it. */
export async function authorisedPluginHost(
  { caller }: CallContext,
  { softwarePackageUuid }: { softwarePackageUuid: string | null },
  { packages, hosts }: ClusterJobDeps,
  tx?: Tx,
): Promise<HostRow | undefined> {
  if (softwarePackageUuid === null) return undefined
  const { hostUuid } = await packages.get(softwarePackageUuid, tx)
  return hostUuid === null ? undefined : hosts.getForWork(hostUuid, caller, tx)
}
