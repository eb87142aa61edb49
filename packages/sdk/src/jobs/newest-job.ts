import type { Groups } from '../groups.ts'

/** The newest job that works on this record; undefined when there is none. */
export async function newestJobUuid(
  { jobs }: Pick<Groups, 'jobs'>,
  subjectUuid: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const { inventories = [] } = await jobs.query(
    { q: [`subjectUuid=${subjectUuid}`], sort: '-createDate', limit: 1 },
    { signal: options.signal },
  )
  return inventories[0]?.uuid
}
