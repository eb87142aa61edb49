const defaultLimit = 500

interface PageQuery {
  readonly q: readonly string[]
  readonly sort: string
  readonly limit: number
}

/**
 * All matching records, page by page. Each page starts after the last uuid, so that changes during the iteration neither
 * repeat nor omit a record, and the last page is as fast as the first.
 */
export async function* readAllPages<R>(
  readPage: (query: PageQuery) => Promise<readonly R[]>,
  q: readonly string[],
  limit = defaultLimit,
): AsyncGenerator<readonly R[]> {
  let after: string | undefined
  for (;;) {
    const records = await readPage({ q: after === undefined ? q : [...q, `uuid>${after}`], sort: '+uuid', limit })
    if (records.length > 0) yield records
    if (records.length < limit) return
    after = (records.at(-1) as { uuid?: string }).uuid
  }
}
