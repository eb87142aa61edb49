import type { WaitOptions } from '../call-types.ts'
import type { SharedChanges } from '../events/shared-changes.ts'
import { retryDuringOutage } from '../http/outage.ts'
import { backoffMs } from '../http/retry.ts'
import type { JobPoll, JobStatus } from './job-status.ts'
import { Signal } from './signal.ts'

/** Poll intervals without events: the first, doubling up to the longest. */
const firstPollMs = 50
const maxPollMs = 5000
/** Poll interval with events: an event can be lost together with its connection. */
const pollWithEventsMs = 30_000
/** The shortest time between two progress reports. */
const progressMs = 250

interface PolledJob<Answer> {
  readonly uuid: string
  poll(signal?: AbortSignal): Promise<JobPoll<Answer>>
}

/** Polls when an event arrives, and at intervals. */
export async function waitForJob<Answer>(
  job: PolledJob<Answer>,
  changes: SharedChanges,
  options: WaitOptions,
): Promise<Answer> {
  const { signal, onProgress } = options
  const wakeUp = new Signal()
  const stopListening = changes.listen((change) => {
    if (change === 'connection') wakeUp.notify('ended')
    else if (change.resourceType === 'ApiJob' && change.uuid === job.uuid)
      wakeUp.notify(change.type === 'Updated' ? 'progressed' : 'ended')
  })
  const poll = retryDuringOutage((): Promise<JobPoll<Answer>> => job.poll(signal), options)
  const reportProgress = reportChanges(onProgress)
  try {
    for (let polls = 0; ; polls++) {
      wakeUp.reset()
      const found = await poll()
      if ('answer' in found) return found.answer
      reportProgress(found.running)
      const idleMs = changes.isOpen ? pollWithEventsMs : backoffMs(polls, firstPollMs, maxPollMs)
      await wakeUp.wait(found.retryAfterMs ?? idleMs, onProgress ? progressMs : undefined, signal)
    }
  } finally {
    stopListening()
  }
}

function reportChanges(onProgress: WaitOptions['onProgress']): (status: JobStatus) => void {
  let reported = ''
  return (status) => {
    const text = `${status.state} ${status.progress} ${status.currentStep}`
    if (status.state === null || text === reported) return
    reported = text
    onProgress?.(status)
  }
}
