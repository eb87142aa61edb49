import { inventories, nounOf } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sql } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** No tag and no job refers to these records by their uuid. */
const unreferenced: ReadonlySet<string | undefined> = new Set<keyof Tables>([
  'auditDigests',
  'auditEntries',
  'deliveries',
  'jobs',
  'systemTags',
  'thirdPartyAlerts',
  'userTags',
])

/** The records that tags and jobs can refer to. */
export const referableRecords = inventories
  .filter(({ table, schema, computed = [] }) => table && 'uuid' in schema.properties && !computed.includes('uuid'))
  .filter(({ table }) => !unreferenced.has(table))

type UuidTable = {
  [T in keyof Tables]: Tables[T] extends { readonly uuid: string } ? T : never
}[keyof Tables]

/** The kinds of the records with this uuid: an account and its built-in user share theirs. */
export async function findRecordKinds(
  tx: Tx,
  uuid: string,
  except: ReadonlySet<string | undefined> = new Set(),
): Promise<typeof referableRecords> {
  const [first, ...others] = referableRecords
    .filter(({ table }) => !except.has(table))
    .map(({ table }) =>
      tx
        .selectFrom(table as UuidTable)
        .select(sql.lit(table).as('table'))
        .where('uuid', '=', uuid),
    )
  const found = await others.reduce((all, one) => all?.unionAll(one), first)?.execute()
  return referableRecords.filter(({ table }) => found?.some((row) => row.table === table))
}

/**
 * Tags and jobs refer to a record by its uuid alone, so a uuid that a caller chooses must not be that of a record of
 * another type. The operation itself refuses duplicates in its `own` tables.
 */
export async function refuseUuidConflict(tx: Tx, uuid: string, own: ReadonlySet<string | undefined>): Promise<void> {
  const [found] = await findRecordKinds(tx, uuid, own)
  if (found === undefined) return
  const text = `another record (${nounOf(found)})`
  throw new ApiError('SYS.1002', `uuid ${uuid} is in use by ${text}; omit resourceUuid or choose another`, {
    mentions: [{ uuid, text }],
  })
}
