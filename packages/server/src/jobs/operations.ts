import { ApiJobInventory, cancelApiJob, getApiJob, getApiJobLog, type Operation, queryApiJob } from '@wharf/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { collection } from '../database/query.ts'
import { type Binding, handle, stream } from '../http/bind.ts'
import type { EventStream } from '../http/event-stream.ts'
import { wireError } from '../http/failures.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { answerPresenter } from '../http/present.ts'
import { readQueryString } from '../http/query-string.ts'
import { lastEventId, openStream } from '../http/revocable-stream.ts'
import { sendJson } from '../http/send.ts'
import type { Credentials } from '../identity/credentials.ts'
import { constantTimeEqual } from '../platform/constant-time.ts'
import { reviveFailure } from './outcome.ts'
import type { JobService } from './service.ts'
import { isActive, type JobRow } from './store.ts'

const jobs_ = collection({ table: 'jobs', inventory: ApiJobInventory })
const logBatch = 1000
/** Followers of a log look for new lines this often. */
const followMs = 250

interface Parts {
  database: Database
  jobs: JobService
  streams: OpenStreams
  credentials: Credentials
  formatTimestamp: (ms: number) => string
  settings: { readonly timezone: string }
}

export function jobOperations(parts: Parts): Binding[] {
  const { database, jobs, streams, credentials, formatTimestamp, settings } = parts
  const presenters = new Map<Operation, (answer: object) => object>()
  const presenterOf = (operation: Operation): ((answer: object) => object) => {
    const present = presenters.get(operation) ?? answerPresenter(operation, formatTimestamp)
    presenters.set(operation, present)
    return present
  }
  const presentRunning = answerPresenter(getApiJob, formatTimestamp)

  /** The token of the location stands in for a credential, for this job only. */
  const admits: Binding['admits'] = ({ uuid = '' }, query) => {
    const [token] = readQueryString(query).get('token') ?? []
    return token !== undefined && constantTimeEqual(token, jobs.token(uuid))
  }

  const sendJob = (request: FastifyRequest, reply: FastifyReply, row: JobRow) => {
    const outcome = jobs.outcome(row)
    if (outcome === undefined) return sendJson(request, reply, 202, JSON.stringify(presentRunning(row)))
    if ('answer' in outcome) {
      const present = presenterOf(jobs.runner.operation(row.operation))
      return sendJson(request, reply, 200, JSON.stringify(present(outcome.answer)))
    }
    reply.header('x-job-success', 'false')
    const error = wireError(reviveFailure(outcome.failure), request.id)
    return sendJson(request, reply, 503, JSON.stringify({ success: false, error }))
  }

  const follow = async (to: EventStream, uuid: string, from: number): Promise<void> => {
    let last = from
    while (!to.closed) {
      const { state } = await jobs.get(uuid)
      const lines = await jobs.readLog(uuid, last, logBatch)
      for (const { sequence, line } of lines) {
        to.send({ id: sequence, data: line })
        await to.drained()
      }
      last = lines.at(-1)?.sequence ?? last
      if (lines.length === logBatch) continue
      if (!isActive(state)) {
        to.send({ event: 'end', data: state })
        to.end()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, followMs))
    }
  }

  return [
    handle(queryApiJob, ({ fields }) => jobs_.query(database, { ...fields, timeZone: settings.timezone })),
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
        await jobs.get(path.uuid)
        if (fields.follow) {
          const to = openStream(reply, caller, { credentials, streams })
          // when the database goes away the reader comes back with the last line it has seen
          return follow(to, path.uuid, lastEventId(request.headers) ?? 0).catch(() => to.end())
        }
        reply.header('content-type', 'text/plain; charset=utf-8').header('cache-control', 'no-store')
        await reply.send(logText(jobs, path.uuid))
      },
      admits,
    ),
  ]
}

function logText(jobs: JobService, uuid: string): ReadableStream {
  let last = 0
  return new ReadableStream({
    async pull(controller) {
      const lines = await jobs.readLog(uuid, last, logBatch)
      last = lines.at(-1)?.sequence ?? last
      if (lines.length > 0) controller.enqueue(new TextEncoder().encode(lines.map(({ line }) => `${line}\n`).join('')))
      if (lines.length < logBatch) controller.close()
    },
  })
}
