import { type AnswerOf, queryApiJob } from '@wharf/contract'
import { mergeNewest, newestJobsOf, newestReplacementsBy } from '@wharf/sdk'
import { useApiQuery } from './api-query.ts'
import { useWharf } from './wharf-context.tsx'

type JobRecord = NonNullable<AnswerOf<typeof queryApiJob>['inventories']>[number]

interface NewestJobs {
  /** Undefined while they are loading. */
  readonly jobs: readonly JobRecord[] | undefined
  readonly error: Error | null
}

/** The newest jobs that work on a package, or that installed it in place of another version. */
export function useNewestJobs(packageUuid: string, limit = 1, { enabled = true } = {}): NewestJobs {
  const wharf = useWharf()
  const own = useApiQuery(queryApiJob, newestJobsOf(packageUuid, limit), { enabled })
  const related = useApiQuery(queryApiJob, newestReplacementsBy(packageUuid, limit), { enabled })
  const toDate = (time: string): Date => wharf.toDate(time)
  const jobs =
    own.data && related.data
      ? mergeNewest(own.data.inventories ?? [], related.data.inventories ?? [], toDate).slice(0, limit)
      : undefined
  return { jobs, error: own.error ?? related.error }
}
