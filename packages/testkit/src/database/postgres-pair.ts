import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres.ts'

/**
 * A PostgreSQL and its standby, by streaming replication. A commit is acknowledged when the standby shows it, so that
 * an acknowledged write survives a failover.
 */
export class PostgresPair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.primary = primary
    this.standby = standby
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<PostgresPair> {
    const primary = await startPostgres({ tcp: true })
    t.after(() => primary.stop())
    const standby = await startPostgres({ tcp: true, standbyOf: primary })
    t.after(() => standby.stop())
    const pair = new PostgresPair(primary, standby)
    await query(primary, `alter system set synchronous_standby_names = '*'`)
    await query(primary, `alter system set synchronous_commit = 'remote_apply'`)
    await query(primary, 'select pg_reload_conf()')
    await pair.#waitForRow(primary, `select 1 from pg_stat_replication where sync_state = 'sync'`)
    return pair
  }

  /** One address for both, as libpq writes it. */
  url(database: string): string {
    const [one, two] = [new URL(this.primary.url), new URL(this.standby.url)]
    return `postgres://${one.username}:${one.password}@${one.host},${two.host}/${database}`
  }

  /** Stops the primary at once and promotes the standby. */
  async failOver(): Promise<void> {
    await this.primary.halt()
    await query(this.standby, 'select pg_promote()')
  }

  async #waitForRow(server: PostgresServer, sql: string): Promise<void> {
    for (const waitForRow = performance.now() + 20_000; (await query(server, sql)).length === 0; await delay(50))
      if (performance.now() > waitForRow) throw new Error(`the standby does not follow: ${sql}`)
  }
}

async function query(server: PostgresServer, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
