import { inventories, nounOf } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sql } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** No tag and no job refers to these records by their uuid. */
const unreferenced: ReadonlySet<string | undefined> = new Set<keyof Tables>([
  'deliveries',
  'jobs',
  'systemTags',
  'thirdPartyAlerts',
  'userTags',
])

/** The tables of records that have a uuid, each with the noun for one of them. */
const nouns: ReadonlyMap<UuidTable, string> = new Map(
  inventories
    .filter(({ table, schema, computed = [] }) => table && 'uuid' in schema.properties && !computed.includes('uuid'))
    .filter(({ table }) => !unreferenced.has(table))
    .map((inventory) => [inventory.table as UuidTable, nounOf(inventory)]),
)

type UuidTable = {
  [T in keyof Tables]: Tables[T] extends { readonly uuid: string } ? T : never
}[keyof Tables]

/**
 * Tags and jobs refer to a record by its uuid alone, so a uuid that a caller chooses must not be that of a record of
 * another type. The operation itself refuses duplicates in its `own` tables.
 */
export async function refuseTakenUuid(tx: Tx, uuid: string, own: ReadonlySet<string | undefined>): Promise<void> {
  const [first, ...others] = [...nouns]
    .filter(([table]) => !own.has(table))
    .map(([table, noun]) => tx.selectFrom(table).select(sql.lit(noun).as('noun')).where('uuid', '=', uuid))
  const found = await others.reduce((all, one) => all?.unionAll(one), first)?.executeTakeFirst()
  if (found !== undefined)
    throw new ApiError(
      'SYS.1002',
      `uuid ${uuid} is in use by another record (${found.noun}); omit resourceUuid or choose another`,
    )
}
