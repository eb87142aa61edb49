import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sqliteFile } from '@wharf/database/open.ts'
import {
  type Answer,
  FailingPrograms,
  interceptedServer,
  PackageCalls,
  PackageSource,
  reverseCleanup,
  type ServerProcess,
  serverEnvironment,
} from '@wharf/testkit'
import { requireIntegrity } from './database.ts'
import { type ServerSite, ServerWatch } from './server-watch.ts'

/** The codes and messages by which each error reaches a client; SYS.1010 is the database. */
const codesOf: Record<string, readonly string[]> = {
  ENOSPC: ['SYS.1010', 'SoftwarePackage.1121'],
  EIO: ['SYS.1010', 'SYS.1016'],
  ECONNRESET: ['SYS.1010'],
  ECONNREFUSED: ['SYS.1015', 'HOST.1003', 'HOST.1010'],
  ETIMEDOUT: ['SYS.1015', 'HOST.1003', 'HOST.1010'],
}
const messagesOf: Record<string, RegExp> = {
  ENOSPC: /no (?:free )?space|disk is full/i,
  EIO: /i\/o error/i,
  ECONNRESET: /database/i,
  ECONNREFUSED: /refused/i,
  ETIMEDOUT: /timed out/i,
}
/** A program may also be unable to report its result. */
const codesOfPrograms = ['SYS.1016', 'SoftwarePackage.1300', 'HOST.1003']

/** A server in its own process, whose system calls can be made to fail while it runs. */
export class FaultFixture extends PackageCalls {
  readonly server: ServerProcess
  readonly source: PackageSource
  /** For packages. */
  readonly folder: string
  readonly watch: ServerWatch
  readonly #acknowledged: string[] = []

  private constructor(server: ServerProcess, source: PackageSource, folder: string, programs: FailingPrograms) {
    super()
    this.watch = new ServerWatch(server, programs)
    this.server = server
    this.source = source
    this.folder = folder
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<FaultFixture> {
    const cleanup = reverseCleanup(t)
    const folder = mkdtempSync(join(tmpdir(), 'wharf-packages-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const source = await PackageSource.start(cleanup)
    const programs = FailingPrograms.make(cleanup)
    const environment = {
      ...(await serverEnvironment(cleanup)),
      WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8',
      UV_THREADPOOL_SIZE: '1',
    }
    const server = interceptedServer(environment, programs.folder)
    cleanup.after(() => server.kill())
    await server.start()
    return new FaultFixture(server, source, folder, programs)
  }

  /** The target of its log in /proc. */
  get logPath(): string {
    return readlinkSync(`/proc/${this.server.pid}/fd/2`)
  }

  /** The client received the cause, not an internal error. */
  refusal({ status, body, text }: Pick<Answer, 'status' | 'body' | 'text'>, { by, error }: ServerSite): string {
    const { code = '', details = '' } = body.error ?? {}
    assert.ok([502, 503, 507].includes(status), text)
    const codes = by === 'programs' ? [...(codesOf[error] ?? []), ...codesOfPrograms] : codesOf[error]
    assert.ok(codes?.includes(code), text)
    if (by !== 'programs') assert.match(details, messagesOf[error] ?? /^$/)
    return `${status} ${code} ${details}`.replaceAll(/\/\S*\/|[0-9a-f]{32}|\(request .*\)/g, '…')
  }

  /** Resolves when no job of it is active: the failure of its last job, if any. */
  async waitForOutcome(
    subjectUuid: string,
    withinMs = 30_000,
  ): Promise<Pick<Answer, 'status' | 'body' | 'text'> | undefined> {
    for (const deadline = performance.now() + withinMs; ; await delay(15)) {
      const answer = await this.admin.get(`/v1/api-jobs?q=subjectUuid=${subjectUuid}&sort=-createDate`)
      // this call itself may hit the fault
      assert.ok([200, 503].includes(answer.status), answer.text)
      const jobs = (answer.body.inventories ?? [{ state: 'unknown' }]) as { uuid: string; state: string }[]
      if (jobs.every(({ state }) => /^(Succeeded|Failed|Cancelled)$/.test(state))) {
        const [last] = jobs
        if (last === undefined || last.state === 'Succeeded') return undefined
        const waitForOutcome = await this.admin.get(`/v1/api-jobs/${last.uuid}`)
        assert.equal(waitForOutcome.status, 503, waitForOutcome.text)
        return waitForOutcome
      }
      if (performance.now() > deadline) throw new Error(`not ended: ${JSON.stringify(jobs)}`)
    }
  }

  /** The database is intact, the spool folders are empty, and a write succeeds. */
  async assertSound(): Promise<void> {
    const { WHARF_DATA: data = '', WHARF_DATABASE_URL: url } = this.server.environment
    if (url === undefined) requireIntegrity(sqliteFile(data))
    for (const name of ['uploads', 'zips']) assert.deepEqual(readdirSync(join(data, name)), [], name)
    const name = `after ${this.#acknowledged.length}`
    const made = await this.admin.post('/v1/tags', { params: { name } })
    assert.equal(made.status, 200, made.text)
    this.#acknowledged.push(name)
  }

  /** After kill -9, every acknowledged write is stored. */
  async assertSurvivesKill(): Promise<void> {
    await this.server.kill()
    await this.server.start()
    const { body } = await this.admin.get('/v1/tags?sort=createDate&fields=name&limit=10000')
    const names = (body.inventories as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(names.toSorted(), this.#acknowledged.toSorted())
    await this.assertSound()
  }
}
