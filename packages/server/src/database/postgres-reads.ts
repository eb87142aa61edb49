import type pg from 'pg'
import { isStatementTimeout } from './failures.ts'
import { FairQueue } from './fair-queue.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { charactersOf, maxPageCharacters, pageTooLarge, type ReadOptions, readTooSlow } from './read-cost.ts'

type Rows = Record<string, unknown>[]

/** A row may have some 200 KB, so this many are a matter of megabytes. */
const rowsAtOnce = 100
const waitingPerUser = 64

/** Reads of callers: those that may take long never have all connections, nor has one user all of theirs. */
export class PostgresReads {
  readonly #pool: PostgresPool
  readonly #readMs: number
  readonly #queue: FairQueue

  constructor(pool: PostgresPool, { max, readMs }: { max: number; readMs: number }) {
    this.#pool = pool
    this.#readMs = readMs
    const running = Math.ceil(max / 2)
    this.#queue = new FairQueue({
      running,
      runningPerUser: Math.max(running - 1, 1),
      waitingPerUser,
      waitMs: 3 * readMs,
    })
  }

  rows(text: string, values: readonly unknown[], { cost = 'page', userUuid = '' }: ReadOptions): Promise<Rows> {
    if (cost === 'page') return this.#read(async (client) => (await client.query(text, [...values])).rows)
    return this.#queue.run(userUuid, () =>
      this.#read(async (client, giveUp) =>
        cost === 'scan' ? (await client.query(text, [...values])).rows : this.#byCursor(client, giveUp, text, values),
      ),
    )
  }

  async #read(work: (client: pg.PoolClient, giveUp: (failure: Error) => void) => Promise<Rows>): Promise<Rows> {
    const client = await this.#pool.connect()
    let unusable: Error | undefined
    try {
      return await work(client, (failure) => {
        unusable = failure
      })
    } catch (error) {
      throw isStatementTimeout(error) ? readTooSlow(this.#readMs) : error
    } finally {
      client.release(unusable)
    }
  }

  /** A page that may be too large for our memory is read piece by piece. */
  async #byCursor(
    client: pg.PoolClient,
    giveUp: (failure: Error) => void,
    text: string,
    values: readonly unknown[],
  ): Promise<Rows> {
    const until = performance.now() + this.#readMs
    try {
      // all of it is read, so it is to be planned for that
      await client.query('begin read only; set local cursor_tuple_fraction = 1')
      await client.query(`declare "page" no scroll cursor for ${text}`, [...values])
      const all: Rows = []
      let characters = 0
      for (;;) {
        const { rows } = await client.query<Record<string, unknown>>(`fetch ${rowsAtOnce} from "page"`)
        for (const row of rows) characters += charactersOf(Object.values(row))
        if (characters > maxPageCharacters) throw pageTooLarge()
        all.push(...rows)
        if (rows.length < rowsAtOnce) break
        if (performance.now() > until) throw readTooSlow(this.#readMs)
      }
      await client.query('commit')
      return all
    } catch (error) {
      // whoever got it next would be inside this transaction
      await client.query('rollback').catch(giveUp)
      throw error
    }
  }
}
