import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@wharf/contract'
import { makeLog } from '@wharf/platform/log.ts'
import { type App, type AppOptions, startApp } from '@wharf/server/composition/app.ts'
import type { BootstrapFile } from '@wharf/server/composition/bootstrap.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { type Answer, Client } from '../calls/client.ts'
import { freshPostgresDatabase, migratedPostgresDatabase, testEngine } from '../database/database.ts'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { keepServerKey, seedData } from './seeded-data.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

export interface TestServerOptions
  extends Pick<
    AppOptions,
    | 'extend'
    | 'clock'
    | 'nodeClock'
    | 'jobLimits'
    | 'auditLimits'
    | 'deliveryLimits'
    | 'rolloutLimits'
    | 'oidcLimits'
    | 'userLimits'
  > {
  /** WHARF_… settings beside those that every test server has. */
  environment?: Record<string, string>
}

/**
 * Environment for a server of this run's engine, with a data folder and a database of its own that has its tables.
 * `hasTables: false` creates neither tables nor folder, for tests of the first start.
 */
export async function serverEnvironment(
  t: Cleanup,
  { hasTables = true }: { hasTables?: boolean } = {},
): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(temporaryFolder(), 'wharf-test-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  const environment = { WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
  if (hasTables) await seedData(environment.WHARF_DATA)
  if (testEngine === 'sqlite') return environment
  const { url, remove } = await (hasTables ? migratedPostgresDatabase() : freshPostgresDatabase())
  t.after(remove)
  return { ...environment, WHARF_DATABASE_URL: url, WHARF_MASTER_KEY: randomBytes(32).toString('hex') }
}

/** Cheap, because tests sign in often and protect nothing. */
export const passwordCost = { N: 2, r: 1, p: 1 }

/** A whole server in this process. Calls go through a real socket. */
export class TestServer {
  readonly url: string
  readonly bootstrap: Required<BootstrapFile>
  /** Signed in as the first admin. */
  readonly admin: Client
  readonly environment: Record<string, string>
  readonly #lines: string[]
  #app: App | undefined

  private constructor(app: App, environment: Record<string, string>, lines: string[]) {
    this.#app = app
    this.url = app.url
    this.environment = environment
    this.#lines = lines
    this.bootstrap = JSON.parse(readFileSync(join(environment.WHARF_DATA ?? '', 'bootstrap.json'), 'utf8'))
    const { accessKeyId: id, accessKeySecret: secret } = this.bootstrap
    this.admin = new Client(app.url, { kind: 'key', id, secret }, app.foundation.clock)
  }

  static async start(t: Cleanup, options: TestServerOptions = {}): Promise<TestServer> {
    const cleanup = reverseCleanup(t)
    const environment = { ...(await serverEnvironment(cleanup)), ...options.environment }
    const data = environment.WHARF_DATA ?? ''
    const server = await TestServer.open(environment, options)
    cleanup.after(() => server.#close())
    keepServerKey(data)
    return server
  }

  /** On a folder and database that exist: a restart, or a second node. The caller closes it. */
  static async open(environment: Record<string, string>, options: TestServerOptions = {}): Promise<TestServer> {
    const lines: string[] = []
    const settings = readSettings(environment, { root: tmpdir() })
    const log = makeLog(settings.logLevel, { write: (line) => void lines.push(line) })
    const app = await startApp({ ...options, settings, log, passwordCost })
    return new TestServer(app, environment, lines)
  }

  get app(): App {
    if (this.#app === undefined) throw new Error('the server is closed')
    return this.#app
  }

  /** A test file keeps its server until the process ends, which runs many files: only what is small stays. */
  async #close(): Promise<void> {
    await this.app.close()
    this.#app = undefined
  }

  /** Without a credential. */
  get anonymous(): Client {
    return new Client(this.url, { kind: 'none' })
  }

  /** Everything the server has logged. */
  get logText(): string {
    return this.#lines.join('')
  }

  /** A new account with this role, signed in with a session. */
  async signIn(
    role: Role,
    name = `${role}-${randomBytes(4).toString('hex')}`,
  ): Promise<Client & { accountUuid: string }> {
    const password = `password of ${name}`
    const created = await this.admin.post('/v1/accounts', { params: { name, password, role } })
    const accountUuid = (created.body.inventory as { uuid: string }).uuid
    const client = await this.logIn(name, password)
    return Object.assign(client, { accountUuid })
  }

  async logIn(accountName: string, password: string): Promise<Client> {
    const answer: Answer = await this.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName, password } })
    if (answer.status !== 200) throw new Error(`login failed: ${JSON.stringify(answer.body)}`)
    return new Client(this.url, { kind: 'session', uuid: (answer.body.inventory as { uuid: string }).uuid })
  }
}
