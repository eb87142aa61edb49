import type { SelectQueryBuilder } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** How many rows match, as far as it matters: never more of them are visited. */
export async function countUpTo<Table extends keyof Tables>(
  tx: Tx,
  limit: number,
  matching: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await tx
    .selectFrom(
      matching
        .select(({ lit }) => lit(1).as('one'))
        .limit(limit)
        .as('matching'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
