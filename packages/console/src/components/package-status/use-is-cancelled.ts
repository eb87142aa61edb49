import type { PackageStatus } from '@wharf/contract'
import { useNewestJobs } from '../../data/use-newest-jobs.ts'

export const hasFailed = (status: PackageStatus | undefined): boolean => status?.endsWith('Failed') ?? false

/** Whether a package has a failed status because a user cancelled its last job. */
export function useIsCancelled(uuid: string, status: PackageStatus | undefined): boolean {
  const isFailed = hasFailed(status)
  const { jobs } = useNewestJobs(uuid, 1, { enabled: isFailed })
  return isFailed && jobs?.[0]?.state === 'Cancelled'
}
