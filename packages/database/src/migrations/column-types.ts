import type { Engine } from '../database.ts'

/** What the engines call differently. */
export interface ColumnTypes {
  text: string
  integer: string
  blob: string
  serial: string
  /** A number that may be used again after the last row was deleted, which is cheaper. */
  rowId: string
}

export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    blob: 'blob',
    serial: 'integer primary key autoincrement',
    rowId: 'integer primary key',
  },
  // collate "C": comparison by code point on both engines, whatever the server's locale
  postgres: {
    text: 'text collate "C"',
    integer: 'bigint',
    blob: 'bytea',
    serial: 'bigserial primary key',
    rowId: 'bigserial primary key',
  },
}
