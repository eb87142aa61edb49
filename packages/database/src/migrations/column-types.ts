import type { Engine } from '../database.ts'

/** What the engines call differently. */
export interface ColumnTypes {
  text: string
  integer: string
  blob: string
  serial: string
}

export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: { text: 'text', integer: 'integer', blob: 'blob', serial: 'integer primary key autoincrement' },
  // collate "C": comparison by code point on both engines, whatever the server's locale
  postgres: { text: 'text collate "C"', integer: 'bigint', blob: 'bytea', serial: 'bigserial primary key' },
}
