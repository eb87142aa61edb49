import { queryChatAppEndpoint, queryHost, querySoftwarePackage } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'
import { type HostGroup, hostConditions, type PackageGroup, packageConditions, unhealthyCondition } from './groups.ts'

const counted = (q: string) => ({ q: [q], count: true })

interface Counts<G extends string> {
  readonly counts: Record<G, number | undefined>
  readonly error: unknown
}

export function useHostCounts(): Counts<HostGroup> {
  const up = useApiQuery(queryHost, counted(hostConditions.up))
  const connecting = useApiQuery(queryHost, counted(hostConditions.connecting))
  const down = useApiQuery(queryHost, counted(hostConditions.down))
  return {
    counts: { up: up.data?.total, connecting: connecting.data?.total, down: down.data?.total },
    error: up.error ?? connecting.error ?? down.error,
  }
}

export function usePackageCounts(): Counts<PackageGroup> {
  const installed = useApiQuery(querySoftwarePackage, counted(packageConditions.installed))
  const uploaded = useApiQuery(querySoftwarePackage, counted(packageConditions.uploaded))
  const inProgress = useApiQuery(querySoftwarePackage, counted(packageConditions.inProgress))
  const failed = useApiQuery(querySoftwarePackage, counted(packageConditions.failed))
  return {
    counts: {
      installed: installed.data?.total,
      uploaded: uploaded.data?.total,
      inProgress: inProgress.data?.total,
      failed: failed.data?.total,
    },
    error: installed.error ?? uploaded.error ?? inProgress.error ?? failed.error,
  }
}

/** The last verification of these installed packages has failed. */
export const useUnhealthyCount = (): number =>
  useApiQuery(querySoftwarePackage, counted(unhealthyCondition)).data?.total ?? 0

export const useEndpointCount = (): number | undefined => useApiQuery(queryChatAppEndpoint, { count: true }).data?.total
