import { randomUUID } from 'node:crypto'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { type Clock, systemClock } from '@wharf/platform/clock.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { AuditTrail } from '@wharf/server/audit/audit-trail.ts'
import { Outbox } from '@wharf/server/events/outbox.ts'
import type { JobContext, JobDefinition, Step } from '@wharf/server/jobs/definition.ts'
import type { StoredFailure } from '@wharf/server/jobs/job-result.ts'
import type { JobRow } from '@wharf/server/jobs/job-row.ts'
import type { JobLimits } from '@wharf/server/jobs/limits.ts'
import { JobService } from '@wharf/server/jobs/service.ts'
import { NodeStore } from '@wharf/server/resources/management-nodes/service.ts'
import { testDatabase } from '../database/database.ts'
import { type Cleanup, reverseCleanup } from '../reverse-cleanup.ts'
import { startTrial } from './trial-job.ts'

type Steps = readonly Step<unknown, unknown>[]

export interface JobWorkerOptions {
  limits?: Partial<JobLimits>
  clock?: Clock
  /** Registers no operation, like a node of another version. */
  hasNoOperations?: boolean
  answer?: () => Promise<{ steps: string }>
  /** The uuid of an earlier node. */
  nodeUuid?: string
  failed?: () => Promise<void>
  describeFailure?: JobDefinition['describeFailure']
  removeLeftovers?: (context: JobContext) => Promise<void>
  /** The same database behind a wrapper that fails or delays. */
  database?: OpenedDatabase
}

const newUuid = (): string => randomUUID().replaceAll('-', '')

/** One database and the job machinery of several nodes on it, all in this process and without HTTP. */
export class JobWorkers {
  readonly database: OpenedDatabase
  readonly #cleanup: Cleanup

  private constructor(database: OpenedDatabase, cleanup: Cleanup) {
    this.database = database
    this.#cleanup = cleanup
  }

  static async open(t: Cleanup): Promise<JobWorkers> {
    const cleanup = reverseCleanup(t)
    return new JobWorkers(await testDatabase(cleanup), cleanup)
  }

  /** A worker that is not started yet. */
  prepare(steps: Steps, { database = this.database, ...options }: JobWorkerOptions = {}): JobWorker {
    const worker = new JobWorker(database, steps, options)
    this.#cleanup.after(() => worker.stop())
    return worker
  }

  async start(steps: Steps, options: JobWorkerOptions = {}): Promise<JobWorker> {
    const worker = this.prepare(steps, options)
    await worker.start()
    return worker
  }

  row = async (uuid: string): Promise<JobRow> =>
    this.database.read.selectFrom('jobs').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()

  log = async (uuid: string): Promise<string[]> => {
    const rows = await this.database.read
      .selectFrom('jobLogs')
      .select('line')
      .where('jobUuid', '=', uuid)
      .orderBy('sequence')
      .execute()
    return rows.map(({ line }) => line)
  }
}

/** The job machinery of one Wharf process. */
export class JobWorker {
  readonly jobs: JobService
  readonly events: Outbox
  readonly nodeUuid: string
  readonly #database: OpenedDatabase
  readonly definition: JobDefinition
  readonly #logged: string[] = []

  constructor(database: OpenedDatabase, steps: Steps, { limits, clock = systemClock, ...more }: JobWorkerOptions) {
    const { hasNoOperations = false, answer = async () => ({ steps: 'done' }) } = more
    const { failed, describeFailure, removeLeftovers } = more
    const log = makeLog('info', { write: (line) => void this.#logged.push(line) })
    const sealing = new Sealing(Buffer.alloc(32))
    this.nodeUuid = more.nodeUuid ?? newUuid()
    this.#database = database
    this.definition = {
      operation: startTrial,
      steps,
      succeeded: answer,
      ...(failed ? { failed } : {}),
      ...(describeFailure ? { describeFailure } : {}),
      ...(removeLeftovers ? { removeLeftovers } : {}),
    }
    const audit = new AuditTrail({ database, clock, sealing, nodeUuid: this.nodeUuid })
    this.events = new Outbox({ database, clock, log, audit })
    const nodes = new NodeStore(database)
    const { events, nodeUuid } = this
    const systemEvents = { record: async () => {} }
    this.jobs = new JobService({ database, audit, events, systemEvents, sealing, clock, log, limits, nodes, nodeUuid })
    if (!hasNoOperations) this.jobs.runner.register(this.definition)
  }

  /** Everything this worker has written to the server's log. */
  get logged(): string {
    return this.#logged.join('')
  }

  async start(): Promise<void> {
    await this.events.start()
    await this.jobs.start(true)
  }

  async stop(): Promise<void> {
    await this.jobs.runner.stop()
    this.events.stop()
  }

  async submit(
    input: unknown = {},
    more: { subjectUuid?: string; timeoutSeconds?: number; managementNodeUuid?: string } = {},
  ): Promise<string> {
    const { subjectUuid, timeoutSeconds, managementNodeUuid } = more
    const subject = subjectUuid === undefined ? null : { uuid: subjectUuid, name: subjectUuid }
    const request = { caller: { accountUuid: 'a', userUuid: 'u' }, timeoutSeconds }
    const { jobUuid } = await this.#database.transaction((tx) =>
      this.jobs.enqueue(tx, this.definition, { request, subject, host: null, input, managementNodeUuid }),
    )
    return jobUuid
  }

  async cancel(uuid: string): Promise<void> {
    await this.#database.transaction((tx) => this.jobs.cancel(tx, { userUuid: 'u', role: 'operator' }, uuid))
  }

  /** The job once it has ended, or its current state after the timeout. */
  async end(uuid: string, timeoutMs = 10_000): Promise<JobRow & { failure: StoredFailure | undefined }> {
    const row = await this.jobs.wait(uuid, timeoutMs)
    const result = this.jobs.result(row)
    return { ...row, failure: result && 'failure' in result ? result.failure : undefined }
  }
}
