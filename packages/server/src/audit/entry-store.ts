import { AuditEntryInventory, type AuditRecord } from '@wharf/contract'
import { AppendedTable } from '@wharf/database/appended-table.ts'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { CompiledQuery, type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { type ChainRange, chainSlot } from './chain-store.ts'

type EntryRow = Selectable<Tables['auditEntries']>

/** The columns of an entry that are published and hashed. */
const publicColumns = Object.keys(AuditEntryInventory.schema.properties) as readonly (keyof AuditRecord)[]

export type PublicRow = Pick<EntryRow, (typeof publicColumns)[number]>

/** An entry as it is written; the chain adds its number and its hash. */
export type NewEntry = Omit<EntryRow, 'id' | 'seq' | 'hash'>

/** An entry with a number, and the key of its row. */
export type NumberedRow = PublicRow & Pick<EntryRow, 'id'>

/** In the order of the chain. */
export interface ChainPosition {
  readonly seq: number
  readonly id: number
}

const numbers: ReadonlySet<string> = new Set(['seq', 'startDate', 'endDate', 'status', 'count'])
const chainedRows = new AppendedTable(
  'auditEntries',
  Object.fromEntries(publicColumns.map((name) => [name, numbers.has(name) ? 'bigint' : 'text'])),
)

/** All entries of one statement: SQLite and PostgreSQL read the same JSON. */
const chainAll = {
  sqlite: `update "auditEntries" set "seq" = "chained"."seq", "hash" = "chained"."hash"
    from (select "value" ->> '$.id' as "id", "value" ->> '$.seq' as "seq", "value" ->> '$.hash' as "hash" from json_each(?)) as "chained"
    where "auditEntries"."id" = "chained"."id" and "auditEntries"."seq" is null`,
  postgres: `update "auditEntries" set "seq" = "chained"."seq", "hash" = "chained"."hash"
    from jsonb_to_recordset($1::jsonb) as "chained" ("id" bigint, "seq" bigint, "hash" text)
    where "auditEntries"."id" = "chained"."id" and "auditEntries"."seq" is null`,
}

/** Entries of one period differ in the order of times and of the chain by less: skewed clocks, long commits, folding. */
const maxDisorderMs = 120_000

/** A node that has not closed an entry for this long after its time has crashed. */
const abandonedMs = 60_000

export class EntryStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** One that equal calls are added to. */
  async insertOpen(tx: Tx, entry: NewEntry): Promise<void> {
    await tx.insertInto('auditEntries').values(entry).execute()
  }

  async insertChained(tx: Tx, entries: readonly PublicRow[]): Promise<void> {
    await chainedRows.insert(this.#database.engine, tx, entries)
  }

  /** More equal calls; false when the entry was chained meanwhile. */
  async addToOpen(tx: Tx, uuid: string, change: Pick<EntryRow, 'count' | 'endDate' | 'openUntil'>): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('auditEntries')
      .set(change)
      .where('uuid', '=', uuid)
      .where('seq', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** At the start of a node: nothing will be added to what its last process left open. */
  async closeOf(tx: Tx, managementNodeUuid: string): Promise<void> {
    await tx
      .updateTable('auditEntries')
      .set({ openUntil: null })
      .where('seq', 'is', null)
      .where('managementNodeUuid', '=', managementNodeUuid)
      .where('openUntil', 'is not', null)
      .execute()
  }

  async hasUnchained(): Promise<boolean> {
    const { engine, read } = this.#database
    return (await unchained(read, engine).select('id').limit(1).executeTakeFirst()) !== undefined
  }

  /** In the order in which they were written. */
  listUnchained(tx: Tx, limit: number): Promise<(PublicRow & { id: number })[]> {
    return unchained(tx, this.#database.engine)
      .select([...publicColumns, 'id'])
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  async chain(tx: Tx, entries: readonly Pick<EntryRow, 'id' | 'seq' | 'hash'>[]): Promise<void> {
    if (entries.length === 0) return
    const chained = entries.map(({ id, seq, hash }) => ({ id, seq, hash }))
    await tx.executeQuery(CompiledQuery.raw(chainAll[this.#database.engine], [JSON.stringify(chained)]))
  }

  async hashOf(from: Reader | Tx, seq: number): Promise<string | undefined> {
    const row = await from.selectFrom('auditEntries').select('hash').where('seq', '=', seq).executeTakeFirst()
    return row?.hash ?? undefined
  }

  /** The number from which on the chain contains every entry that was written since then. */
  async firstSince(chain: ChainRange, from: number): Promise<number | undefined> {
    const oldest = await this.#selectWritten(chain, { from })
      .select('endDate')
      .orderBy('endDate')
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return undefined
    const { first } = await this.#selectWritten(chain, { from: oldest.endDate, to: oldest.endDate + maxDisorderMs })
      .select(({ fn }) => fn.min('seq').as('first'))
      .executeTakeFirstOrThrow()
    return Number(first)
  }

  /** The number up to which the chain contains every entry that was written before then. */
  async lastBefore(chain: ChainRange, to: number): Promise<number | undefined> {
    const newest = await this.#selectWritten(chain, { to })
      .select('endDate')
      .orderBy('endDate', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest === undefined) return undefined
    const { last } = await this.#selectWritten(chain, { from: newest.endDate - maxDisorderMs, to })
      .select(({ fn }) => fn.max('seq').as('last'))
      .executeTakeFirstOrThrow()
    return Number(last)
  }

  #selectWritten({ firstSeq, lastSeq }: ChainRange, { from = 0, to = Number.MAX_SAFE_INTEGER }) {
    return this.#database.read
      .selectFrom('auditEntries')
      .where('seq', '>=', firstSeq)
      .where('seq', '<=', lastSeq)
      .where('endDate', '>=', from)
      .where('endDate', '<', to)
  }

  /** Chained entries after this one, in the order of the chain. Two have the same number only when somebody has added one. */
  page(after: ChainPosition, last: number, limit: number): Promise<NumberedRow[]> {
    return this.#selectNumbered()
      .where('seq', '>=', after.seq)
      .where(({ or, eb }) => or([eb('seq', '>', after.seq), eb('id', '>', after.id)]))
      .where('seq', '<=', last)
      .limit(limit)
      .execute()
  }

  /** Entries with a number that the chain has not reached, or that no entry can have: somebody has added them. */
  async listOutsideChain(limit: number): Promise<NumberedRow[]> {
    const lastSeq = ({ selectFrom }: ExpressionBuilder<Tables, 'auditEntries'>) =>
      selectFrom('auditChain').select('lastSeq').where('slot', '=', chainSlot)
    const below = await this.#selectNumbered().where('seq', '<', 1).limit(limit).execute()
    return [...below, ...(await this.#selectNumbered().where('seq', '>', lastSeq).limit(limit).execute())]
  }

  #selectNumbered() {
    return this.#database.read
      .selectFrom('auditEntries')
      .select([...publicColumns, 'id'])
      .orderBy('seq')
      .orderBy('id')
  }

  /** Not entries with a number below 1, which somebody has added: they remain as evidence. */
  async removeBefore(tx: Tx, seq: number, limit: number): Promise<number> {
    const old = tx
      .selectFrom('auditEntries')
      .select('id')
      .where('seq', '>=', 1)
      .where('seq', '<', seq)
      .orderBy('seq')
      .limit(limit)
    const { numDeletedRows } = await tx.deleteFrom('auditEntries').where('id', 'in', old).executeTakeFirst()
    return Number(numDeletedRows)
  }
}

/** Those that nothing is added to any more. */
const unchained = (from: Pick<Tx, 'selectFrom'>, engine: Database['engine']) =>
  from
    .selectFrom('auditEntries')
    .where('seq', 'is', null)
    .where(({ or, eb }) =>
      or([eb('openUntil', 'is', null), eb('openUntil', '<', sql<number>`${databaseNow(engine)} - ${abandonedMs}`)]),
    )
