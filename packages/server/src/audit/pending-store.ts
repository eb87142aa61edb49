import { appendBeforeCommit } from '@wharf/database/append-before-commit.ts'
import { AppendedTable } from '@wharf/database/appended-table.ts'
import type { Database, Tx } from '@wharf/database/database.ts'
import { listFactory, objectFactory } from '@wharf/platform/object-shape.ts'
import type { PendingRow } from './audit-record.ts'
import type { NewEntry } from './entry-store.ts'

/** In the order of their values in a pending row. New ones go to the end: nodes of two versions read each other's rows. */
const names = [
  'uuid',
  'startDate',
  'endDate',
  'requestId',
  'managementNodeUuid',
  'operation',
  'method',
  'path',
  'actorKind',
  'accountUuid',
  'userUuid',
  'actorName',
  'role',
  'credentialUuid',
  'sourceIp',
  'userAgent',
  'resourceType',
  'resourceUuid',
  'resourceName',
  'changes',
  'outcome',
  'status',
  'errorCode',
  'jobUuid',
  'count',
  // absent from older rows, whose changes may be in another order than that of canonical JSON
  'hasCanonicalChanges',
] as const satisfies readonly (keyof PendingRow)[]

/** Entries from their commit until they are chained. A change writes one row; the chain writes the indexes, for many at once. */
export class PendingStore {
  readonly #database: Database
  readonly #rows: AppendedTable

  /** `guard` runs the statement that writes entries before a commit. */
  constructor(database: Database, guard = (write: () => Promise<void>): Promise<void> => write()) {
    this.#database = database
    this.#rows = new AppendedTable('pendingAuditEntries', { entry: 'text' }, { guard })
  }

  append(tx: Tx, entries: readonly NewEntry[]): void {
    appendBeforeCommit(this.#database.engine, tx, this.#rows, entries.map(rowOf))
  }

  /** Now, not before the commit. */
  async insert(tx: Tx, entry: NewEntry): Promise<void> {
    await this.#rows.insert(this.#database.engine, tx, [rowOf(entry)])
  }

  async hasEntries(): Promise<boolean> {
    const { read } = this.#database
    return (await read.selectFrom('pendingAuditEntries').select('id').limit(1).executeTakeFirst()) !== undefined
  }

  /** Removes the first of them, and returns them in the order in which they were written. They have no number and no hash yet. */
  async take(tx: Tx, limit: number): Promise<PendingRow[]> {
    const taken = await tx
      .deleteFrom('pendingAuditEntries')
      .where('id', 'in', (eb) => eb.selectFrom('pendingAuditEntries').select('id').orderBy('id').limit(limit))
      .returning(['id', 'entry'])
      .execute()
    return taken.sort((a, b) => a.id - b.id).map(({ entry }) => parse(entry))
  }
}

const valuesOf = listFactory(names)
const entryOf = objectFactory(names)
const flagIndex = names.indexOf('hasCanonicalChanges')

/** The values alone: with their names they would be almost twice as long, and every change writes them. */
function rowOf(entry: NewEntry): { entry: string } {
  const values = valuesOf(entry)
  values[flagIndex] = 1
  return { entry: JSON.stringify(values) }
}

/** As the columns of the entry store it, because that is what is hashed: no half of a character, and no NUL. */
const asStored = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value

function parse(entry: string): PendingRow {
  const values: unknown = JSON.parse(entry, /\\u(?:d|0000)/.test(entry) ? asStored : undefined)
  // rows of the first version with this table are objects
  return (Array.isArray(values) ? entryOf(values) : values) as PendingRow
}
