import type { Groups } from '../generated-types.ts'

/** The query for the newest jobs that work on a record. */
export const newestJobsOf = (subjectUuid: string, limit = 1) => ({
  q: [`subjectUuid=${subjectUuid}`],
  sort: '-createDate',
  limit,
})

/** The query for the newest jobs that install a package in place of another version. */
export const newestReplacementsBy = (packageUuid: string, limit = 1) => ({
  q: [`relatedUuid=${packageUuid}`],
  sort: '-createDate',
  limit,
})

/** The newest jobs of both queries, the newest first. */
export function mergeNewest<J extends { readonly createDate?: string }>(
  own: readonly J[],
  related: readonly J[],
  toDate: (time: string) => Date,
): J[] {
  const timeOf = ({ createDate = '' }: J): number => (createDate === '' ? 0 : toDate(createDate).getTime())
  return [...own, ...related].sort((a, b) => timeOf(b) - timeOf(a))
}

/** The newest job that works on this record; undefined when there is none. */
export async function newestJobUuid(
  { jobs }: Pick<Groups, 'jobs'>,
  subjectUuid: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const { inventories = [] } = await jobs.query(newestJobsOf(subjectUuid), { signal: options.signal })
  return inventories[0]?.uuid
}
