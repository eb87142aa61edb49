import type { AnswerOf, getApiJobLogLines, Recorded } from '@wharf/contract'
import { isActiveJob, maxLogLines } from '@wharf/contract'
import { plainText } from '@wharf/platform/plain-text.ts'
import type { JobService } from '../jobs/service.ts'
import type { EventStream } from './event-stream.ts'

const logBatch = 1000
/** A call that searches a log reads at most this many lines; the next call continues. */
const maxSearchedLines = 20_000
/** How often a followed log is polled for new lines. */
const followMs = 250

export type FormatLine = (line: { readonly at: number; readonly line: string }) => string

export const preciseTime = (ms: number): string => new Date(ms).toISOString()

export const bareLine: FormatLine = ({ line }) => line
export const timedLine: FormatLine = ({ at, line }) => `${preciseTime(at)} ${line}`

export function logText(jobs: JobService, uuid: string, format: FormatLine): ReadableStream {
  let last = 0
  return new ReadableStream({
    async pull(controller) {
      const lines = await jobs.readLog(uuid, last, logBatch)
      last = lines.at(-1)?.sequence ?? last
      if (lines.length > 0)
        controller.enqueue(new TextEncoder().encode(lines.map((line) => `${format(line)}\n`).join('')))
      if (lines.length < logBatch) controller.close()
    },
  })
}

export async function followLog(
  jobs: JobService,
  { uuid, after, format }: { uuid: string; after: number; format: FormatLine },
  to: EventStream,
): Promise<void> {
  let last = after
  while (!to.closed) {
    const { state } = await jobs.get(uuid)
    const lines = await jobs.readLog(uuid, last, logBatch)
    for (const line of lines) {
      to.send({ id: line.sequence, data: format(line) })
      await to.drained()
    }
    last = lines.at(-1)?.sequence ?? last
    if (lines.length === logBatch) continue
    if (!isActiveJob(state)) {
      to.send({ event: 'end', data: state })
      to.end()
      return
    }
    await new Promise((resolve) => setTimeout(resolve, followMs))
  }
}

interface LineQuery {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  readonly contains?: string | undefined
}

/** A part of the log, or of the lines that contain a text. */
export async function readLogLines(
  jobs: JobService,
  uuid: string,
  { after = 0, limit = maxLogLines, contains }: LineQuery,
): Promise<Recorded<AnswerOf<typeof getApiJobLogLines>>> {
  const lastNumber = await jobs.lastLogLine(uuid)
  const text = contains?.toLowerCase()
  const found: { number: number; time: string; line: string }[] = []
  const until = after + (text === undefined ? limit : maxSearchedLines)
  let last = after
  while (last < Math.min(until, lastNumber) && found.length < limit) {
    const batch = await jobs.readLog(uuid, last, text === undefined ? limit : logBatch)
    // the job was deleted meanwhile
    if (batch.length === 0) break
    for (const { sequence, at, line } of batch) {
      if (found.length === limit) break
      last = sequence
      if (text === undefined || plainText(line).toLowerCase().includes(text))
        found.push({ number: sequence, time: preciseTime(at), line })
    }
  }
  return { lines: found, lastNumber, nextAfter: last < lastNumber ? last : null }
}
