import type { PackageStatus } from '@wharf/contract'
import { useNewestJobs } from '../../data/use-newest-jobs.ts'

/** Whether a package has a failed status because a user cancelled its last job. */
export function useIsCancelled(uuid: string, status: PackageStatus | undefined): boolean {
  const hasFailed = status?.endsWith('Failed') ?? false
  const { jobs } = useNewestJobs(uuid, 1, { enabled: hasFailed })
  return hasFailed && jobs?.[0]?.state === 'Cancelled'
}
