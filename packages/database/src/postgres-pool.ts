import type { Socket } from 'node:net'
import pg from 'pg'
import { thenCommit } from './append-before-commit.ts'
import { isConnectionFailure, isIdleTimeout, isReadOnlyServer, markCommitInDoubt } from './failures.ts'
import { postgresAddresses, withOptions } from './postgres-addresses.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { boundaryStatements, TransactionQuery } from './transaction-query.ts'

/** Of the pool itself, when all connections are in use for too long. Nothing is wrong with the server. */
const allInUse = 'timeout exceeded when trying to connect'
const roleMs = 3000
const prepared = new PreparedStatements()

interface PoolSettings {
  readonly max: number
  readonly types: pg.CustomTypesConfig
  /** A connection that neither responds nor fails must not block a call indefinitely. 0: no limit. */
  readonly queryMs: number
  /** The server stops a statement after this: otherwise it would continue after its caller has disconnected. */
  readonly statementMs?: number
  readonly locks: LockLimits
}

/**
 * Enforced by the server, for the locks of a node that has vanished. `waitMs` is the shorter one: a transaction that waits for a lock
 * of that node has failed before the lock is released, instead of holding it for as long again.
 */
export interface LockLimits {
  /** Unlimited when absent. */
  readonly waitMs?: number
  readonly idleInTransactionMs: number
}

/** The server notices within a minute that a node has vanished, and frees its connections; its default is two hours. */
const vanishedPeer =
  '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=6 -c tcp_user_timeout=50000'

/**
 * Connections to the one of several servers that accepts writes. When it fails or has become a standby, the others are
 * tried in their order, and waiting callers get a connection to the next primary.
 */
export class PostgresPool {
  readonly #addresses: readonly string[]
  readonly #settings: PoolSettings
  #current = 0
  #pool: pg.Pool
  #ending = new Set<Promise<void>>()

  constructor(url: string, settings: PoolSettings) {
    this.#addresses = postgresAddresses(url)
    this.#settings = settings
    this.#pool = this.#open()
  }

  /** Of a separate connection to the server that is in use. */
  get connection(): pg.ClientConfig {
    return {
      connectionString: this.#addresses[this.#current] ?? '',
      types: this.#settings.types,
      application_name: 'wharf',
      keepAlive: true,
      // the system would wait two hours
      keepAliveInitialDelayMillis: 5000,
      connectionTimeoutMillis: this.#addresses.length > 1 ? 3000 : 5000,
    }
  }

  get options(): pg.PoolOptions {
    return this.#pool.options
  }

  get use() {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, limit: this.#settings.max }
  }

  async connect(): Promise<pg.PoolClient> {
    const failures: unknown[] = []
    for (;;) {
      const pool = this.#pool
      try {
        return await pool.connect()
      } catch (error) {
        if (!isConnectionFailure(error) || (error as Error).message === allInUse) throw error
        failures.push(error)
        if (failures.length >= this.#addresses.length) throw likelyCause(failures)
        this.#failOver(pool)
      }
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#pool.end(), ...this.#ending])
  }

  /** Unless another caller has done so: every connection is closed, at the latest when it is released. */
  #failOver(pool: pg.Pool): void {
    if (pool !== this.#pool || pool.ending) return
    this.#current = (this.#current + 1) % this.#addresses.length
    this.#pool = this.#open()
    const ending = pool.end().catch(() => {})
    this.#ending.add(ending)
    void ending.then(() => this.#ending.delete(ending))
  }

  #open(): pg.Pool {
    const { max, queryMs, statementMs, locks } = this.#settings
    const pool = new pg.Pool({
      ...this.connection,
      connectionString: withOptions(this.connection.connectionString ?? '', vanishedPeer),
      max,
      idle_in_transaction_session_timeout: locks.idleInTransactionMs,
      ...(locks.waitMs === undefined ? {} : { lock_timeout: locks.waitMs }),
      ...(queryMs > 0 ? { query_timeout: queryMs } : {}),
      ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
      onConnect: prepareConnection,
      // a separate class for each pool, so that a connection is bound to its pool
      Client: connectionOf(() => this.#failOver(pool)) as unknown as new () => pg.ClientBase,
    })
    // a connection that breaks is replaced at the next use; without listeners it would end the process, as would one that
    // breaks between two statements of a transaction
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
}

/**
 * A connection that is not reused after a failure, and that reports when its server no longer accepts writes. It sends
 * `begin` with the first statement of a transaction, and `commit` with the last one if that ends with `thenCommit`.
 */
const connectionOf = (onReadOnly: () => void) =>
  class Connection extends pg.Client {
    #failure: unknown
    #transaction: 'none' | 'due' | 'open' | 'committed' = 'none'

    // biome-ignore lint/suspicious/noExplicitAny: it has many overloads, and all are forwarded unchanged
    override query(...given: any[]): any {
      const text = typeof given[0] === 'string' ? given[0] : given[0]?.text
      // report why the transaction failed, not that the rollback failed too
      if (text === 'rollback' && this.#failure !== undefined) return Promise.reject(this.#failure)
      const isStatement = typeof given[0] === 'string' && Array.isArray(given[1])
      if (isStatement && this.#isBoundary(text)) return Promise.resolve({ command: text.toUpperCase(), rows: [] })
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const running = isStatement ? this.#run(text, given[1]) : (super.query as any)(...given)
      if (typeof running?.then !== 'function') return running
      return running.catch((error: unknown) => {
        if (isConnectionFailure(error))
          this.#fail(error, isStatement && (text === 'commit' || text.endsWith(thenCommit)))
        throw error
      })
    }

    /** The start or end of a transaction that needs no round trip of its own. */
    #isBoundary(text: string): boolean {
      if (text !== 'begin' && text !== 'commit' && text !== 'rollback') return false
      const before = this.#transaction
      this.#transaction = text === 'begin' ? 'due' : 'none'
      return text === 'begin' || before === 'due' || before === 'committed'
    }

    async #run(given: string, values: readonly unknown[]): Promise<unknown> {
      if (this.#transaction === 'committed')
        throw new Error('the transaction has been committed with its last statement')
      const isFirst = this.#transaction === 'due'
      if (isFirst) this.#transaction = 'open'
      // one without values may consist of several, which have to be sent as text
      const begins = isFirst && values.length > 0
      if (isFirst && !begins) await super.query('begin')
      const commits = given.endsWith(thenCommit)
      const text = commits ? given.slice(0, -thenCommit.length) : given
      const query =
        begins || commits
          ? new TransactionQuery(text, [...values], { begins, commits })
          : new pg.Query(text, [...values])
      const result = await this.#send(query, prepared.nameOf(text))
      if (commits) this.#transaction = 'committed'
      return result
    }

    /** The driver copies a query that is given as an object with a name, which takes longer than the rest of it. */
    #send(query: pg.Submittable, name: string | undefined): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const settle = (error: unknown, result: unknown): void => (error ? reject(error) : resolve(result))
        super.query(Object.assign(query, { name, callback: settle }))
      })
    }

    #fail(error: unknown, isCommit: boolean): void {
      this.#failure ??= error
      if (isReadOnlyServer(error)) onReadOnly()
      else if (isCommit && !isIdleTimeout(error))
        markCommitInDoubt(error)
        // a server that does not answer gets no graceful close
      ;(this as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    }
  }

async function prepareConnection(client: pg.ClientBase): Promise<void> {
  await refuseReadOnly(client)
  // an empty transaction
  for (const text of boundaryStatements)
    await client.query({ text, name: text, query_timeout: roleMs } as pg.QueryConfig)
}

async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query({
    text: `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
    query_timeout: roleMs,
  } as pg.QueryConfig)
  if (rows[0]?.isReadOnly !== true) return
  const { host, port } = client as pg.Client
  throw Object.assign(new Error(`PostgreSQL at ${host}:${port} is a standby, which accepts no writes`), {
    code: '25006',
  })
}

/** A standby is reported last: an unreachable server is the more likely cause. */
const likelyCause = (failures: readonly unknown[]): unknown =>
  failures.find((error) => !isReadOnlyServer(error)) ?? failures[0]
