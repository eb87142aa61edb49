import { queryApiJob } from '@wharf/contract'
import { newestJobsOf } from '@wharf/sdk'
import { useApiQuery } from '../../data/api-query.ts'
import { JobFailure } from './JobFailure.tsx'

/** Why the newest job of a record failed; nothing when it succeeded or runs. */
export function NewestJobFailure({ subjectUuid }: { subjectUuid: string }) {
  const { data } = useApiQuery(queryApiJob, newestJobsOf(subjectUuid, 1))
  const [job] = data?.inventories ?? []
  return job ? <JobFailure job={job} /> : null
}
