import { inventories } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { Image } from './record-changes.ts'

/** The columns that name a record, by preference. */
const nameColumns = ['name', 'AccessKeyID', 'tag', 'userId', 'hostName', 'summary']
const maxName = 255

export function nameOf(image: Image): string | null {
  for (const column of nameColumns) {
    const value = image[column]
    if (typeof value === 'string' && value !== '') return value.slice(0, maxName)
  }
  return null
}

/** The tables of records that have a name, by the type of events. */
const namedTables = Map.groupBy(
  inventories.flatMap(({ table, events: [type], schema: { properties }, computed = [] }) => {
    const columns = nameColumns.filter((column) => column in properties && !computed.includes(column))
    return table === undefined || columns.length === 0 ? [] : [{ type, table, columns }]
  }),
  ({ type }) => type,
)

/** Of a record that no image names; null when it does not exist or has no name. */
export async function readResourceName(tx: Tx, type: string, uuid: string): Promise<string | null> {
  for (const { table, columns } of namedTables.get(type) ?? []) {
    const row = await tx
      .selectFrom(table as 'tags')
      .select(columns as 'name'[])
      .where('uuid', '=', uuid)
      .executeTakeFirst()
    if (row !== undefined) return nameOf(row)
  }
  return null
}
