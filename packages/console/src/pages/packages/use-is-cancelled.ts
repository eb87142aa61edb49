import { type PackageStatus, queryApiJob } from '@wharf/contract'
import { newestJobsOf } from '@wharf/sdk'
import { useApiQuery } from '../../data/api-query.ts'

/** Whether a package has a failed status because a user cancelled its last job. */
export function useIsCancelled(uuid: string, status: PackageStatus | undefined): boolean {
  const hasFailed = status?.endsWith('Failed') ?? false
  const { data } = useApiQuery(queryApiJob, newestJobsOf(uuid, 1), { enabled: hasFailed })
  return hasFailed && data?.inventories?.[0]?.state === 'Cancelled'
}
