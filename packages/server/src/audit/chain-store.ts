import { AuditDigestInventory } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type ChainRow = Selectable<Tables['auditChain']>
export type DigestRow = Selectable<Tables['auditDigests']>

/** The last entry of the chain. */
export type ChainEnd = Pick<ChainRow, 'lastSeq' | 'lastHash'>

/** From the first entry that the retention keeps to the last chained one. */
export type ChainRange = Pick<ChainRow, 'firstSeq' | 'lastSeq'>

/** The lease on the chain; undefined while another node has it. */
export type LeaseChain = (tx: Tx) => Promise<ChainRow | undefined>

/** Of the one row. */
export const chainSlot = 1
const digestColumns = Object.keys(AuditDigestInventory.schema.properties) as readonly (keyof DigestRow)[]

/** The end of the chain with the lease on it, and its digests. */
export class ChainStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Extends the lease of this owner, or takes it over when it has ended; undefined while another node has it. */
  async lease(tx: Tx, owner: string, leaseMs: number): Promise<ChainRow | undefined> {
    const { engine } = this.#database
    const until = sql<number>`${databaseNow(engine)} + ${leaseMs}`
    return tx
      .updateTable('auditChain')
      .set({ owner, leaseUntil: until })
      .where('slot', '=', chainSlot)
      .where(({ or, eb }) => or([eb('owner', '=', owner), eb('leaseUntil', '<', databaseNow(engine))]))
      .returningAll()
      .executeTakeFirst()
  }

  /** No other node extends the chain until this transaction ends. */
  async lock(tx: Tx): Promise<ChainRow | undefined> {
    return tx
      .updateTable('auditChain')
      .set({ slot: chainSlot })
      .where('slot', '=', chainSlot)
      .returningAll()
      .executeTakeFirst()
  }

  async release(tx: Tx, owner: string): Promise<void> {
    await tx.updateTable('auditChain').set({ leaseUntil: 0 }).where('owner', '=', owner).execute()
  }

  async create(tx: Tx, lastHash: string): Promise<void> {
    await tx
      .insertInto('auditChain')
      .values({ slot: chainSlot, firstSeq: 1, lastSeq: 0, lastHash, owner: null, leaseUntil: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async extend(tx: Tx, end: ChainEnd): Promise<void> {
    await tx.updateTable('auditChain').set(end).where('slot', '=', chainSlot).execute()
  }

  /** Entries before this one are removed; returns the first one before the cut. */
  async cutBefore(tx: Tx, seq: number): Promise<number> {
    const before = await tx.selectFrom('auditChain').select('firstSeq').where('slot', '=', chainSlot).executeTakeFirst()
    await tx
      .updateTable('auditChain')
      .set({ firstSeq: seq })
      .where('slot', '=', chainSlot)
      .where('firstSeq', '<', seq)
      .execute()
    return before?.firstSeq ?? 1
  }

  async range(): Promise<ChainRange> {
    const chain = this.#database.read.selectFrom('auditChain').select(['firstSeq', 'lastSeq'])
    return (await chain.where('slot', '=', chainSlot).executeTakeFirst()) ?? { firstSeq: 1, lastSeq: 0 }
  }

  async insertDigest(tx: Tx, digest: DigestRow): Promise<void> {
    await tx.insertInto('auditDigests').values(digest).execute()
  }

  async lastDigest(from: Reader | Tx): Promise<DigestRow | undefined> {
    return (await this.lastDigests(from, 1))[0]
  }

  /** The newest first. */
  lastDigests(from: Reader | Tx, limit: number): Promise<DigestRow[]> {
    return from.selectFrom('auditDigests').select(digestColumns).orderBy('lastSeq', 'desc').limit(limit).execute()
  }

  /** The last digest that is older than this. */
  async lastDigestBefore(from: Reader | Tx, date: number): Promise<DigestRow | undefined> {
    return from
      .selectFrom('auditDigests')
      .select(digestColumns)
      .where('createDate', '<', date)
      .orderBy('lastSeq', 'desc')
      .limit(1)
      .executeTakeFirst()
  }

  async findDigest(from: Reader | Tx, lastSeq: number): Promise<DigestRow | undefined> {
    return from.selectFrom('auditDigests').select(digestColumns).where('lastSeq', '=', lastSeq).executeTakeFirst()
  }

  /** In their order, after the one that ends with `lastSeq`. */
  listDigests(from: Reader | Tx, lastSeq: number, limit: number): Promise<DigestRow[]> {
    return from
      .selectFrom('auditDigests')
      .select(digestColumns)
      .where('lastSeq', '>', lastSeq)
      .orderBy('lastSeq')
      .limit(limit)
      .execute()
  }
}
