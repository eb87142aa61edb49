import { useNewestJobs } from '../../data/use-newest-jobs.ts'
import { JobFailure } from './JobFailure.tsx'

/** Why the newest job of a record failed; nothing when it succeeded or runs. */
export function NewestJobFailure({ subjectUuid }: { subjectUuid: string }) {
  const [job] = useNewestJobs(subjectUuid).jobs ?? []
  return job ? <JobFailure job={job} /> : null
}
