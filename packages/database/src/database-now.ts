import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

/** The database's own clock, in milliseconds. Leases are measured by it, so that nodes need not agree on the time. */
export const databaseNowText: Readonly<Record<Engine, string>> = {
  sqlite: `cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
}

export const databaseNow = (engine: Engine): RawBuilder<number> => sql.raw<number>(databaseNowText[engine])
