import {
  ApiJobInventory,
  aliases,
  cancelApiJob,
  operations as contractOperations,
  getApiJob,
  getApiJobLog,
  getApiJobLogLines,
  getApiJobSteps,
  jobStepTitle,
  type Operation,
  queryApiJob,
} from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { collection } from '@wharf/database/query.ts'
import { findOutside } from '@wharf/database/scoped-reads.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withSource } from '../audit/audit-source.ts'
import { handle } from '../calls/bind.ts'
import { anonymousCaller } from '../calls/caller.ts'
import { queryBinding } from '../calls/query-bindings.ts'
import { reviveFailure } from '../jobs/job-result.ts'
import type { JobRow } from '../jobs/job-row.ts'
import type { StepTimes } from '../jobs/job-timeline.ts'
import { preciseTime } from '../jobs/precise-time.ts'
import { readLogLines } from '../jobs/read-log-lines.ts'
import type { JobService } from '../jobs/service.ts'
import type { AccountService } from '../resources/identity/accounts/service.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { AuditedCalls } from './audited-call.ts'
import { type ServedBinding, stream } from './exchange.ts'
import { failureText } from './failures.ts'
import { bareLine, followLog, logText, timedLine } from './job-log.ts'
import type { OpenStreams } from './open-streams.ts'
import { readQueryString } from './query-string.ts'
import { responseMapper, withoutShownOnce } from './response-fields.ts'
import { responseWriter } from './response-text.ts'
import { lastEventId, openStream } from './revocable-stream.ts'
import { sendJson } from './send.ts'

const canRetry = `case when "state" in ('Failed', 'Cancelled') and "sealedCall" is not null then 1 else 0 end`
const jobRecords = collection(ApiJobInventory, { columns: { canRetry } })

interface JobOperationDeps {
  database: Database
  auditedCalls: AuditedCalls
  jobs: JobService
  streams: OpenStreams
  credentials: Credentials
  accounts: AccountService
  formatTimestamp: (ms: number) => string
  settings: { readonly timezone: string; readonly errorAlone: boolean; readonly jsonSchema: boolean }
}

export function jobOperations(deps: JobOperationDeps): ServedBinding[] {
  const { database, auditedCalls, jobs, streams, credentials, accounts, formatTimestamp, settings } = deps
  const writers = new Map<Operation, ReturnType<typeof responseWriter>>()
  const writerOf = (operation: Operation): ReturnType<typeof responseWriter> => {
    const write = writers.get(operation) ?? responseWriter(operation, formatTimestamp, settings)
    writers.set(operation, write)
    return write
  }
  /** An operation that is not a job may have a job's row, for clients that read every answer at a job. */
  const operationOf = ({ operation: name }: JobRow): Operation =>
    [...contractOperations, ...aliases].find((operation) => operation.name === name) ?? jobs.runner.operation(name)

  /** Only a client with the location's token reads a secret in an answer, and only once, while its user exists. */
  const answerFor = async (
    request: FastifyRequest,
    row: JobRow,
    operation: Operation,
    answer: object,
  ): Promise<object> => {
    const hidden = withoutShownOnce(operation, answer)
    if (JSON.stringify(hidden) === JSON.stringify(answer)) return answer
    if (request.caller !== anonymousCaller) return hidden
    const take = () => jobs.takeSecret(row, hidden, (tx) => accounts.userExists(tx, row.userUuid))
    // a secret that is shown is recorded, although this is a read
    const source = auditedCalls.open(request, getApiJob.name)
    return (await withSource(source, take)) ? answer : hidden
  }

  const mapRunning = responseMapper(getApiJob, formatTimestamp)

  /** The token of the location replaces a credential, for this job only. */
  const admits: ServedBinding['admits'] = ({ uuid = '' }, query) => {
    const [token] = readQueryString(query).get('token') ?? []
    return token !== undefined && constantTimeEqual(token, jobs.token(uuid))
  }

  const sendJob = async (request: FastifyRequest, reply: FastifyReply, row: JobRow) => {
    const result = jobs.result(row)
    if (result === undefined) return sendJson(request, reply, 202, JSON.stringify(mapRunning(row)))
    if ('answer' in result) {
      const operation = operationOf(row)
      const answer = await answerFor(request, row, operation, result.answer)
      return sendJson(request, reply, 200, writerOf(operation)(request.headers, answer))
    }
    reply.header('x-job-success', 'false')
    const text = failureText(reviveFailure(result.failure), request.id, settings.errorAlone)
    return sendJson(request, reply, 503, text)
  }

  return [
    queryBinding({ database, timezone: settings.timezone }, queryApiJob, { records: jobRecords }),
    stream(
      getApiJob,
      async ({ path }, { request, reply }) => {
        await sendJob(request, reply, await jobs.get(path.uuid))
      },
      admits,
    ),
    handle(cancelApiJob, ({ caller, path, commit }) =>
      commit(async (tx) => {
        await jobs.cancel(tx, caller, path.uuid)
        return {}
      }),
    ),
    stream(
      getApiJobLog,
      async ({ caller, path, fields }, { request, reply }) => {
        const { uuid } = await jobs.get(path.uuid)
        const format = fields.timestamps ? timedLine : bareLine
        if (fields.follow) {
          const to = openStream(reply, caller, { credentials, streams })
          // when the database becomes unavailable, the reader reconnects with the number of its last line
          const after = lastEventId(request.headers) ?? 0
          const { scope } = caller
          // the host may leave the scope of the reader meanwhile
          const isVisible = async () => !scope || !(await findOutside(database, scope, [uuid])).has(uuid)
          return followLog(jobs, { uuid, after, format, isVisible }, to).catch(() => to.end())
        }
        reply.header('content-type', 'text/plain; charset=utf-8').header('cache-control', 'no-store')
        await reply.send(logText(jobs, uuid, format))
      },
      admits,
    ),
    handle(getApiJobLogLines, async ({ path, fields, disconnectSignal }) => {
      const { uuid } = await jobs.get(path.uuid)
      return readLogLines(jobs, uuid, fields, disconnectSignal())
    }),
    handle(getApiJobSteps, async ({ path }) => {
      const row = await jobs.get(path.uuid)
      const { steps, ...failure } = await jobs.steps(row)
      return { steps: steps.map((step) => shownStep(row.operation, step)), ...failure }
    }),
  ]
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : preciseTime(ms))

const shownStep = (operation: string, { name, state, undoState, logLine, undoLogLine, ...times }: StepTimes) => ({
  name,
  title: jobStepTitle(operation, name),
  state,
  undoState,
  startTime: timeOrNull(times.startedAt),
  endTime: timeOrNull(times.endedAt),
  undoStartTime: timeOrNull(times.undoStartedAt),
  undoEndTime: timeOrNull(times.undoEndedAt),
  logLine,
  undoLogLine,
})
