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

/** A node on a machine of its own, whose cable and whose way to the database can be cut. */
export interface StagedNode {
  readonly process: ServerProcess
  /** A network of its own; the files are ours. */
  readonly machine: TestHost
  readonly gate: DatabaseProxy
  readonly client: Client
  /** As whom it signs in to the database, which so knows who wrote. */
  readonly role: string
}

/** Two nodes and the host they work on, on one network, and the PostgreSQL that the nodes share. */
export class Stage {
  readonly postgres: PostgresServer
  readonly nodes: readonly [StagedNode, StagedNode]
  readonly host: TestHost
  /** When a node was cut off from the host, and until it has told all that the host is there again. */
  readonly cuts: { readonly from: number; readonly to: number }[] = []
  /** Where both nodes find packages. */
  readonly packages: string
  /** Past the gates. */
  readonly #database: string

  private constructor(parts: Pick<Stage, 'postgres' | 'nodes' | 'host' | 'packages'>, database: string) {
    this.postgres = parts.postgres
    this.nodes = parts.nodes
    this.host = parts.host
    this.packages = parts.packages
    this.#database = database
  }

  static async set(t: { after(work: () => Promise<void>): void }): Promise<Stage> {
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
    const nodes: StagedNode[] = []
    for (const [at, machine] of ofNodes.entries()) {
      const role = `node_${at + 1}`
      await ask(database, `create role ${role} superuser login`)
      const gate = await DatabaseProxy.to(database, cleanup, hereSeenFrom(machine))
      const through = new URL(gate.url)
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
      const process = new ServerProcess(environment, serverProgram, machine.sshdPid)
      cleanup.after(() => process.kill())
      await process.start()
      processes.push(process)
      const { credential } = (processes[0] as ServerProcess).admin
      const client = new Client(`http://${machine.address}:${port}/wharf`, credential)
      nodes.push({ process, machine, gate, client, role })
    }
    return new Stage({ postgres, nodes: nodes as [StagedNode, StagedNode], host, packages }, database)
  }

  ask<Row>(question: string, values: readonly unknown[] = []): Promise<Row[]> {
    return ask<Row>(this.#database, question, values)
  }

  /** A node that does not reach the host says so for all of them, HOST.1010; who is at work there then fails by HOST.1003. */
  mayLackHost(code: string, at: number): boolean {
    return /HOST\.10(03|10)/.test(code) && this.cuts.some(({ from, to }) => at >= from && at <= to)
  }

  get nodeUuids(): string[] {
    return this.nodes.map(({ process }) => process.bootstrap.managementNodeUuid)
  }
}

/** The address of this machine on the network of the hosts. */
const hereSeenFrom = ({ address }: TestHost): string => address.replace(/\d+$/, '1')

/** A connection for each question: none is there to be hurt when PostgreSQL goes. */
async function ask<Row>(database: string, question: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(question, [...values])).rows as Row[]
  } finally {
    await client.end()
  }
}
