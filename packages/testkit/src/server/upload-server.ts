import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@wharf/database/database.ts'
import { migrate, openDatabase } from '@wharf/database/open.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { type Clock, systemClock } from '@wharf/platform/clock.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { createEdge, type EdgeDeps } from '@wharf/server/http/edge.ts'
import { OpenStreams } from '@wharf/server/http/open-streams.ts'
import { createRelay } from '@wharf/server/http/relay/forward-request.ts'
import { Hops } from '@wharf/server/http/relay/relay-hop.ts'
import { type NewUpload, UploadService } from '@wharf/server/resources/uploads/service.ts'
import { registerUploads, uploadPaths } from '@wharf/server/resources/uploads/tus.ts'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { serverEnvironment } from './server.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

export interface UploadServerOptions {
  clock?: Clock
  port?: number
  corsOrigins?: string[]
  maxPackageBytes?: number
  /** What a listener does besides recording the notification. */
  onFinished?: (tx: Tx) => Promise<void>
  nodeUuid?: string
  /** Wraps the database of the uploads, to inject faults. */
  wrapDatabase?: (database: OpenedDatabase) => OpenedDatabase
}

/** Who opens the uploads of the tests. */
export const uploadCaller = { accountUuid: 'a'.repeat(32), userUuid: 'b'.repeat(32) }

/** The uploads of a server and the edge of its HTTP, without the packages that uploads are for. */
export class UploadServer {
  readonly environment: Record<string, string>
  readonly uploads: UploadService
  readonly database: OpenedDatabase
  readonly http: ReturnType<typeof createEdge>
  readonly #lines: string[]
  readonly #draining: AbortController

  private constructor(
    parts: Pick<UploadServer, 'environment' | 'uploads' | 'database' | 'http'>,
    lines: string[],
    draining: AbortController,
  ) {
    this.environment = parts.environment
    this.uploads = parts.uploads
    this.database = parts.database
    this.http = parts.http
    this.#lines = lines
    this.#draining = draining
  }

  static async start(t: Cleanup, options: UploadServerOptions = {}): Promise<UploadServer> {
    const cleanup = reverseCleanup(t)
    const server = await UploadServer.open(await serverEnvironment(cleanup), options)
    cleanup.after(() => server.close())
    return server
  }

  /** On a folder and database that may already exist. The caller closes it. */
  static async open(environment: Record<string, string>, options: UploadServerOptions = {}): Promise<UploadServer> {
    const { clock = systemClock, port = 0, corsOrigins = [], maxPackageBytes, nodeUuid = 'c'.repeat(32) } = options
    const { WHARF_DATA: data = '', WHARF_DATABASE_URL: url } = environment
    const database = await openDatabase({ data, databaseUrl: url === undefined ? undefined : Secret.of(url) })
    await migrate(database)
    await addUploadCaller(database)
    const lines: string[] = []
    const log = makeLog('info', { write: (line) => void lines.push(line) })
    const sealing = new Sealing(Buffer.alloc(32, 7))
    const settings = { data, maxPackageBytes }
    const wrapped = options.wrapDatabase?.(database) ?? database
    const uploads = new UploadService({ database: wrapped, sealing, clock, log, nodeUuid, settings })
    uploads.onFinished(async (tx, { id, ...notification }) => {
      await recordNotification(tx, `finished ${id}`, notification)
      await options.onFinished?.(tx)
    })
    uploads.onEnded((tx, { id, packageUuid, reason }) =>
      recordNotification(tx, `ended ${id}`, { packageUuid, code: reason.code }),
    )
    const draining = new AbortController()
    const hops = new Hops(sealing, () => clock.now())
    const http = createEdge([], {
      log,
      hops,
      relay: createRelay({ hops, nodes: { find: async () => undefined } }),
      draining: draining.signal,
      settings: { basePath: '/wharf', corsOrigins, authSchemes: ['Service'], trustedProxies: [], holdSeconds: 1 },
      observe: () => {},
      auditedCalls: { recordFailure: async (_request: unknown, error: Error) => error },
      streams: new OpenStreams(),
      otherPaths: uploadPaths,
    } as unknown as EdgeDeps)
    registerUploads(http, { uploads, draining: draining.signal })
    await uploads.start()
    await http.listen({ host: '127.0.0.1', port })
    return new UploadServer({ environment, uploads, database, http }, lines, draining)
  }

  get port(): number {
    return (this.http.server.address() as AddressInfo).port
  }

  get logText(): string {
    return this.#lines.join('')
  }

  async openUpload(upload: Partial<NewUpload> = {}): Promise<{ id: string; url: string; packageUuid: string }> {
    const packageUuid = upload.packageUuid ?? randomUUID().replaceAll('-', '')
    const { id, path } = await this.database.transaction((tx) =>
      this.uploads.open(tx, { fileName: 'file', caller: uploadCaller, ...upload, packageUuid }),
    )
    return { id, packageUuid, url: `http://127.0.0.1:${this.port}/wharf${path}` }
  }

  row(id: string) {
    return this.database.read.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Waits until the upload has this state. */
  async waitForState(id: string, state: string): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt++) {
      if ((await this.row(id))?.state === state) return
      await delay(10)
    }
    throw new Error(`the upload is not ${state} after 5 s`)
  }

  /** What the listeners recorded of it in committed transactions. */
  async notifications(id: string): Promise<Record<string, unknown>> {
    const rows = await this.database.read.selectFrom('settings').selectAll().where('name', 'like', `%${id}`).execute()
    return Object.fromEntries(rows.map(({ name, value }) => [name.split(' ', 1)[0] ?? '', JSON.parse(value)]))
  }

  /** Stops as the server does: aborts what runs, then closes everything. */
  async close(): Promise<void> {
    this.#draining.abort()
    this.http.server.closeIdleConnections()
    const closed = this.http.close()
    await this.uploads.close()
    this.http.server.closeAllConnections()
    await closed
    await this.database.close()
  }
}

async function addUploadCaller(database: OpenedDatabase): Promise<void> {
  const { accountUuid, userUuid } = uploadCaller
  const row = { name: 'uploader', description: null, createDate: 0, lastOpDate: 0 }
  const user = { ...row, uuid: userUuid, accountUuid, role: 'operator', scope: '[]', passwordHash: '' } as const
  await database.transaction(async (tx) => {
    const account = tx.insertInto('accounts').values({ ...row, uuid: accountUuid })
    await account.onConflict((conflict) => conflict.doNothing()).execute()
    await tx
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** The primary key makes a second record fail: each notification arrives once. */
const recordNotification = async (tx: Tx, name: string, value: object): Promise<void> => {
  await tx
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .execute()
}
