import { type AnswerOf, type getApiJobLogLines, maxLogLines, type Recorded } from '@wharf/contract'
import { plainText } from '@wharf/platform/plain-text.ts'
import { preciseTime } from './precise-time.ts'
import type { JobService } from './service.ts'

/** A search reads so many lines at once. */
const searchBatch = 200
/** A call that searches a log reads at most this many lines and characters; the next call continues. */
const maxSearchedLines = 20_000
const maxSearchedCharacters = 4 * 1024 * 1024

interface LineQuery {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  readonly contains?: string | undefined
}

/** A part of the log, or of the lines that contain a text. Ends early for a caller that has disconnected. */
export async function readLogLines(
  jobs: Pick<JobService, 'lastLogLine' | 'readLog'>,
  uuid: string,
  { after = 0, limit = maxLogLines, contains }: LineQuery,
  signal: AbortSignal,
): Promise<Recorded<AnswerOf<typeof getApiJobLogLines>>> {
  const lastNumber = await jobs.lastLogLine(uuid)
  const text = contains?.toLowerCase()
  const found: { number: number; time: string; line: string }[] = []
  const until = Math.min(lastNumber, after + (text === undefined ? limit : maxSearchedLines))
  let last = after
  let characters = 0
  const isDone = (): boolean =>
    last >= until || found.length === limit || (text !== undefined && characters >= maxSearchedCharacters)
  while (!isDone() && !signal.aborted) {
    const batch = await jobs.readLog(uuid, last, text === undefined ? limit : searchBatch)
    // the job was deleted meanwhile
    if (batch.length === 0) break
    for (const { sequence, at, line } of batch) {
      if (isDone()) break
      last = sequence
      characters += line.length
      if (text === undefined || plainText(line).toLowerCase().includes(text))
        found.push({ number: sequence, time: preciseTime(at), line })
    }
  }
  return { lines: found, lastNumber, nextAfter: last < lastNumber ? last : null }
}
