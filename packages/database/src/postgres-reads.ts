import type { FairQueue } from '@wharf/platform/fair-queue.ts'
import { sharedNames } from '@wharf/platform/shared-names.ts'
import pg from 'pg'
import { isConnectionFailure, isStatementTimeout } from './failures.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { ReadBudget } from './read-budget.ts'
import {
  charactersOf,
  maxPageCharacters,
  pageTooLarge,
  type ReadOptions,
  readQueue,
  readTooSlow,
  waitingPerUser,
} from './read-cost.ts'
import { RowList } from './row-list.ts'

type Read = (client: pg.PoolClient) => Promise<RowList>

const scanBudget = { freeMs: 250, capacityMs: 1000, refill: 0.25 }

/**
 * Reads of callers never use all connections, one user never uses all of these, and slow reads leave some to the others.
 * A read that is not classified as slow waits for its connection, unless recent reads of its user took long.
 */
export class PostgresReads {
  readonly #pool: PostgresPool
  readonly #readMs: number
  readonly #all: FairQueue
  readonly #slow: FairQueue
  readonly #budget = new ReadBudget(scanBudget)

  constructor(pool: PostgresPool, { max, readMs }: { max: number; readMs: number }) {
    this.#pool = pool
    this.#readMs = readMs
    const running = Math.ceil(max / 2)
    const queue = (leftToOthers: number) =>
      readQueue({
        running: Math.max(running - leftToOthers, 1),
        runningPerShare: Math.max(running - leftToOthers - 1, 1),
        readMs,
      })
    this.#all = queue(0)
    this.#slow = queue(2)
  }

  async rows(text: string, values: readonly unknown[], options: ReadOptions): Promise<RowList> {
    const { cost = 'page', isLarge = false, userUuid = '' } = options
    const query: pg.QueryArrayConfig<unknown[]> = { text, values: [...values], rowMode: 'array' }
    const read: Read = isLarge
      ? (client) => countedRows(client, query)
      : async (client) => rowsOf(await client.query(query))
    if (cost === 'page' && !isLarge) return this.#read(read)
    const waiter = { share: userUuid, maxWaiting: waitingPerUser[cost], disconnectSignal: options.disconnectSignal }
    const run = async (): Promise<RowList> => this.#read(read, userUuid)
    if (cost !== 'slow') {
      const rows = await this.#all.run(waiter, async () => (this.#budget.hasLeft(userUuid) ? run() : undefined))
      if (rows) return rows
    }
    return this.#slow.run(waiter, () => this.#all.run({ ...waiter, maxWaiting: waitingPerUser.scan }, run))
  }

  async #read(read: Read, chargedTo?: string): Promise<RowList> {
    const client = await this.#pool.connect()
    const from = performance.now()
    let isUsable = true
    try {
      return await read(client)
    } catch (error) {
      isUsable = !(error instanceof Unfinished) && !isConnectionFailure(error)
      if (error instanceof Unfinished) throw pageTooLarge()
      throw isStatementTimeout(error) ? readTooSlow(this.#readMs) : error
    } finally {
      client.release(!isUsable)
      if (chargedTo !== undefined) this.#budget.charge(chargedTo, performance.now() - from)
    }
  }
}

/** The server continues to send rows, so the connection cannot be reused. */
class Unfinished extends Error {}

const rowsOf = ({ fields, rows }: pg.QueryArrayResult): RowList =>
  new RowList(sharedNames(fields.map(({ name }) => name)), rows)

/** A page that may be too large for memory is counted as it arrives. */
function countedRows(client: pg.PoolClient, config: pg.QueryArrayConfig<unknown[]>): Promise<RowList> {
  return new Promise((resolve, reject) => {
    let characters = 0
    const query = new pg.Query<unknown[]>(config, (error, result) => {
      if (error) reject(error)
      else resolve(rowsOf(result))
    })
    query.on('row', (row) => {
      characters += charactersOf(row)
      if (characters > maxPageCharacters) reject(new Unfinished())
    })
    client.query(query)
  })
}
