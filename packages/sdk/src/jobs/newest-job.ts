import type { Groups } from '../generated-types.ts'

/** The query for the newest jobs that work on a record. */
export const newestJobsOf = (subjectUuid: string, limit = 1) => ({
  q: [`subjectUuid=${subjectUuid}`],
  sort: '-createDate',
  limit,
})

/** The newest job that works on this record; undefined when there is none. */
export async function newestJobUuid(
  { jobs }: Pick<Groups, 'jobs'>,
  subjectUuid: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const { inventories = [] } = await jobs.query(newestJobsOf(subjectUuid), { signal: options.signal })
  return inventories[0]?.uuid
}
