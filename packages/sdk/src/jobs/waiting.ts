import type { WaitOptions } from '../call-types.ts'
import { ConnectionError, WharfError } from '../error.ts'
import type { SharedChanges } from '../events/shared-changes.ts'
import { Outage } from '../http/outage.ts'
import { pause } from '../http/pause.ts'
import { Bell } from './bell.ts'
import type { JobStatus, Look } from './job-status.ts'

/** Without events a job is looked at after this, then more and more seldom … */
const firstLookMs = 50
const maxLookMs = 5000
/** … and with events now and then all the same: one may be lost with its connection. */
const seldomMs = 30_000
/** A server may be away for so long before the waiting is given up: its jobs go on when it is back. */
const maxAwayMs = 10 * 60_000
/** Nobody is asked again at once … */
const firstAwayMs = 250
/** … and who answers like no Wharf server is asked so often: a proxy may be halfway through a change. */
const foreignTries = 4
/** Progress is told so often at most. */
const progressMs = 250

interface LookedAt<Answer> {
  readonly uuid: string
  look(signal?: AbortSignal): Promise<Look<Answer>>
}

/** Until the job has ended: woken by events, else by looking. */
export async function waitForEnd<Answer>(
  job: LookedAt<Answer>,
  changes: SharedChanges,
  options: WaitOptions,
): Promise<Answer> {
  const { signal, onProgress } = options
  const bell = new Bell()
  const stopListening = changes.listen((change) => {
    if (change === 'connection') bell.ring('now')
    else if (change.resourceType === 'ApiJob' && change.uuid === job.uuid)
      bell.ring(change.type === 'Updated' ? 'progress' : 'now')
  })
  const look = patient((): Promise<Look<Answer>> => job.look(signal), options)
  const tell = whenChanged(onProgress)
  try {
    for (let looks = 0; ; looks++) {
      bell.reset()
      const found = await look()
      if ('answer' in found) return found.answer
      tell(found.running)
      const idleMs = changes.isOpen ? seldomMs : Math.min(maxLookMs, firstLookMs * 2 ** Math.min(looks, 10))
      await bell.wait(found.retryAfterMs ?? idleMs, onProgress ? progressMs : undefined, signal)
    }
  } finally {
    stopListening()
  }
}

/** Tells what is news. */
function whenChanged(onProgress: WaitOptions['onProgress']): (status: JobStatus) => void {
  let told = ''
  return (status) => {
    const text = `${status.state} ${status.progress} ${status.currentStep}`
    if (status.state === null || text === told) return
    told = text
    onProgress?.(status)
  }
}

/** Retries when nobody answers, for as long as a server may be away. */
export function patient<T>(work: () => Promise<T>, { signal, ...listener }: WaitOptions): () => Promise<T> {
  let lastAnswer = performance.now()
  const outage = new Outage(listener)
  return async () => {
    for (let failed = 0, foreign = 0; ; ) {
      try {
        const result = await work()
        lastAnswer = performance.now()
        outage.answered()
        return result
      } catch (error) {
        if (!isAway(error) || performance.now() - lastAnswer > maxAwayMs) throw error
        if (error instanceof ConnectionError && error.isForeign && ++foreign >= foreignTries) throw error
        outage.failed(error)
        await pause(Math.min(maxLookMs, firstAwayMs * 2 ** Math.min(failed++, 10)), signal)
      }
    }
  }
}

/** Nobody answers, or a server that is starting or stopping. */
const isAway = (error: unknown): error is ConnectionError | WharfError =>
  error instanceof ConnectionError || (error instanceof WharfError && error.code === 'SYS.1010')
