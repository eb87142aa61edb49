import type { OutageListener } from '../call-types.ts'
import { ConnectionError } from '../error.ts'
import { abortable, sleep } from '../http/abortable.ts'
import { Outage } from '../http/outage.ts'
import { Attempts, type RetryLimits, retryAfterMs } from '../http/retry.ts'
import { failureReason } from '../http/transport.ts'
import type { ByteSource } from './byte-source.ts'
import type { PauseControl } from './pause-control.ts'
import { TusRefusal, type TusUpload } from './tus.ts'

interface SendOptions extends OutageListener {
  readonly upload: TusUpload
  readonly source: ByteSource
  readonly sliceBytes: number
  readonly pauseControl: PauseControl
  readonly retry: RetryLimits
  readonly signal: AbortSignal | undefined
  readonly onSent: (bytes: number) => void
}

/** Sends the bytes that the server does not have, across broken connections; returns the offset at the end. */
export async function sendSlices(options: SendOptions): Promise<number> {
  const { upload, source, pauseControl, retry, signal, onSent } = options
  const outage = new Outage(options)
  let attempts: Attempts | undefined
  let offset: number | undefined
  let furthest = 0
  for (;;) {
    await pauseControl.waitUntilResumed(signal)
    const stop = signal ? AbortSignal.any([signal, pauseControl.signal]) : pauseControl.signal
    try {
      // after a failure only the server knows the offset
      offset ??= await upload.offset(stop)
      onSent(offset)
      outage.answered()
      if (offset > furthest) {
        // progress resets the retry limits
        attempts = undefined
        furthest = offset
      }
      if (offset === source.size) return offset
      offset = await sendSlice(options, offset, stop)
    } catch (error) {
      offset = undefined
      signal?.throwIfAborted()
      if (source.failure) throw source.failure
      if (pauseControl.signal.aborted || pauseControl.isPaused) continue
      const refusal = error instanceof TusRefusal ? error : undefined
      // the record of the package has the result
      if (refusal?.isEnded) return furthest
      if (refusal && !refusal.isResumable) throw refusal.error
      if (!refusal && !isNetworkError(error)) throw error
      // counted from the first failure: a slice may take longer than the limit
      attempts ??= new Attempts(retry)
      const pauseMs = attempts.nextPauseMs(refusal && retryAfterMs(refusal.headers, Date.now()))
      const failure =
        refusal?.error ?? new ConnectionError(`the upload was interrupted: ${failureReason(error)}`, { cause: error })
      if (pauseMs === undefined) throw failure
      outage.failed(failure)
      await sleep(pauseMs, signal)
    }
  }
}

async function sendSlice(
  { upload, source, sliceBytes, signal, onSent }: SendOptions,
  offset: number,
  stop: AbortSignal,
) {
  // a stream may be idle for long
  const slice = await abortable(
    source.slice(offset, sliceBytes, (bytes) => onSent(offset + bytes)),
    signal,
  )
  // tus 1.0.0: a deferred length is declared with the last slice
  const length = slice.isLast ? offset + slice.bytes : undefined
  return upload.append(offset, slice, length, stop)
}

/** What fetch throws without a response; read errors of a file have other types. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
