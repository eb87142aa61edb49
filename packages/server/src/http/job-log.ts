import { isActiveJob } from '@wharf/contract'
import { preciseTime } from '../jobs/precise-time.ts'
import type { JobService } from '../jobs/service.ts'
import type { SseWriter } from './sse-writer.ts'

const logBatch = 1000
/** How often a followed log is polled for new lines. */
const followMs = 250

export type FormatLine = (line: { readonly at: number; readonly line: string }) => string

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
  {
    uuid,
    after,
    format,
    isVisible,
  }: { uuid: string; after: number; format: FormatLine; isVisible: () => Promise<boolean> },
  to: SseWriter,
): Promise<void> {
  let last = after
  while (!to.closed) {
    if (!(await isVisible())) return to.end()
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
