import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  DatabaseProxy,
  type PostgresServer,
  reverseCleanup,
  ServerProcess,
  serverProgram,
  startHosts,
  startPostgres,
  type TestHost,
} from '@wharf/testkit'
import pg from 'pg'

const port = 8080

/** A node on its own machine, whose link and whose database connection can be cut. */
export interface NodeUnderTest {
  readonly process: ServerProcess
  /** Its own network; the files are shared with this machine. */
  readonly machine: TestHost
  readonly proxy: DatabaseProxy
  readonly client: Client
  /** Its database role, which identifies its writes. */
  readonly role: string
}

/** Two nodes and the host they work on, on one network, and the PostgreSQL that the nodes share. */
export class TwoNodeSetup {
  readonly postgres: PostgresServer
  readonly nodes: readonly [NodeUnderTest, NodeUnderTest]
  readonly host: TestHost
  /** When a node was cut off from the host, until it has reported the host as connected again. */
  readonly cuts: { readonly from: number; readonly to: number }[] = []
  /** Where both nodes find packages. */
  readonly packages: string
  /** Without the proxies. */
  readonly #database: string

  private constructor(parts: Pick<TwoNodeSetup, 'postgres' | 'nodes' | 'host' | 'packages'>, database: string) {
    this.postgres = parts.postgres
    this.nodes = parts.nodes
    this.host = parts.host
    this.packages = parts.packages
    this.#database = database
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<TwoNodeSetup> {
    const cleanup = reverseCleanup(t)
    const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const packages = join(folder, 'packages')
    mkdirSync(packages)
    const [postgres, machines] = await Promise.all([startPostgres(), startHosts(cleanup, 3)])
    cleanup.after(() => postgres.stop())
    const database = await postgres.createDatabase('wharf')
    const [host, ...ofNodes] = machines as [TestHost, TestHost, TestHost]
    const masterKey = randomBytes(32).toString('hex')
    const processes: ServerProcess[] = []
    const nodes: NodeUnderTest[] = []
    for (const [at, machine] of ofNodes.entries()) {
      const role = `node_${at + 1}`
      await query(database, `create role ${role} superuser login`)
      const proxy = await DatabaseProxy.to(database, cleanup, localAddressFor(machine))
      const through = new URL(proxy.url)
      through.username = role
      const environment = {
        WHARF_DATA: join(folder, role),
        WHARF_HOST: machine.address,
        WHARF_PORT: String(port),
        WHARF_DATABASE_URL: through.href,
        WHARF_MASTER_KEY: masterKey,
        WHARF_FILE_ROOTS: packages,
        WHARF_LOG_LEVEL: 'warn',
      }
      const process = new ServerProcess(environment, serverProgram, ['nsenter', `--target=${machine.sshdPid}`, '--net'])
      cleanup.after(() => process.kill())
      await process.start()
      processes.push(process)
      const { credential } = (processes[0] as ServerProcess).admin
      const client = new Client(`http://${machine.address}:${port}/wharf`, credential)
      nodes.push({ process, machine, proxy, client, role })
    }
    return new TwoNodeSetup({ postgres, nodes: nodes as [NodeUnderTest, NodeUnderTest], host, packages }, database)
  }

  query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return query<Row>(this.#database, sql, values)
  }

  /** A node that cannot reach the host reports it for all nodes (HOST.1010); jobs there fail with HOST.1003. */
  isHostUnreachable(code: string, at: number): boolean {
    return /HOST\.10(03|10)/.test(code) && this.cuts.some(({ from, to }) => at >= from && at <= to)
  }

  get nodeUuids(): string[] {
    return this.nodes.map(({ process }) => process.bootstrap.managementNodeUuid)
  }
}

/** The address of this machine on the network of the hosts. */
const localAddressFor = ({ address }: TestHost): string => address.replace(/\d+$/, '1')

/** A connection for each query, so that a restart of PostgreSQL breaks none. */
async function query<Row>(database: string, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows as Row[]
  } finally {
    await client.end()
  }
}
