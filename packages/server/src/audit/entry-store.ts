import { AuditEntryInventory, type AuditRecord } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

type EntryRow = Selectable<Tables['auditEntries']>

/** The columns of an entry that are published and hashed. */
const publicColumns = Object.keys(AuditEntryInventory.schema.properties) as readonly (keyof AuditRecord)[]

export type PublicRow = Pick<EntryRow, (typeof publicColumns)[number]>

/** Entries of one period differ in the order of times and of the chain by less: skewed clocks, long commits, folding. */
const maxDisorderMs = 120_000

export class EntryStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The part of the chain that contains every sealed entry of the period. */
  async range(from: number | undefined, to: number): Promise<{ first: number; last: number } | undefined> {
    const sealed = () => this.#database.read.selectFrom('auditEntries').where('seq', 'is not', null)
    const oldest = await sealed()
      .select('endDate')
      .where('endDate', '>=', from ?? 0)
      .where('endDate', '<', to)
      .orderBy('endDate')
      .limit(1)
      .executeTakeFirst()
    const newest = await sealed()
      .select('endDate')
      .where('endDate', '>=', from ?? 0)
      .where('endDate', '<', to)
      .orderBy('endDate', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined || newest === undefined) return undefined
    const { first } = await sealed()
      .select(({ fn }) => fn.min('seq').as('first'))
      .where('endDate', '>=', oldest.endDate)
      .where('endDate', '<', Math.min(to, oldest.endDate + maxDisorderMs))
      .executeTakeFirstOrThrow()
    const { last } = await sealed()
      .select(({ fn }) => fn.max('seq').as('last'))
      .where('endDate', '>', Math.max((from ?? 0) - 1, newest.endDate - maxDisorderMs))
      .where('endDate', '<', to)
      .executeTakeFirstOrThrow()
    return { first: Number(first), last: Number(last) }
  }

  /** Sealed entries after one of the chain, in its order. */
  page(after: number, last: number, limit: number): Promise<PublicRow[]> {
    return this.#database.read
      .selectFrom('auditEntries')
      .select(publicColumns)
      .where('seq', '>', after)
      .where('seq', '<=', last)
      .orderBy('seq')
      .limit(limit)
      .execute()
  }
}
