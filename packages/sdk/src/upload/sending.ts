import type { OutageListener } from '../call-types.ts'
import { ConnectionError } from '../error.ts'
import { Outage } from '../http/outage.ts'
import { beforeAbort, pause } from '../http/pause.ts'
import { Attempts, type RetryLimits, retryAfterMs } from '../http/retry.ts'
import { reasonOf } from '../http/transport.ts'
import type { ByteSource } from './source.ts'
import type { Switch } from './switch.ts'
import { type TusAddress, TusRefusal } from './tus.ts'

interface Sending extends OutageListener {
  readonly address: TusAddress
  readonly source: ByteSource
  readonly sliceBytes: number
  readonly sending: Switch
  readonly retry: RetryLimits
  readonly signal: AbortSignal | undefined
  readonly onSent: (bytes: number) => void
}

/** Sends what the server does not have yet, however often it is cut off, and ends with the bytes that are there. */
export async function sendSlices(work: Sending): Promise<number> {
  const { address, source, sending, retry, signal, onSent } = work
  const outage = new Outage(work)
  let attempts: Attempts | undefined
  let offset: number | undefined
  let furthest = 0
  for (;;) {
    await sending.whenOn(signal)
    const stop = signal ? AbortSignal.any([signal, sending.signal]) : sending.signal
    try {
      // whoever was cut off does not know what arrived
      offset ??= await address.offset(stop)
      onSent(offset)
      outage.answered()
      if (offset > furthest) {
        // progress starts the limits again
        attempts = undefined
        furthest = offset
      }
      if (offset === source.size) return offset
      offset = await sendOne(work, offset, stop)
    } catch (error) {
      offset = undefined
      signal?.throwIfAborted()
      if (source.failure) throw source.failure
      if (sending.signal.aborted || !sending.isOn) continue
      const refusal = error instanceof TusRefusal ? error : undefined
      // whatever has become of it, its package tells
      if (refusal?.isOver) return furthest
      if (refusal && !refusal.mayGoOn) throw refusal.error
      if (!refusal && !isNetwork(error)) throw error
      // counted from the first failure: a slice may take longer than the limit
      attempts ??= new Attempts(retry)
      const pauseMs = attempts.nextPauseMs(refusal && retryAfterMs(refusal.headers, Date.now()))
      const cut = refusal?.error ?? new ConnectionError(`the upload was cut off: ${reasonOf(error)}`, { cause: error })
      if (pauseMs === undefined) throw cut
      outage.failed(cut)
      await pause(pauseMs, signal)
    }
  }
}

async function sendOne({ address, source, sliceBytes, signal, onSent }: Sending, offset: number, stop: AbortSignal) {
  // a stream may have nothing to say for long
  const slice = await beforeAbort(
    source.slice(offset, sliceBytes, (bytes) => onSent(offset + bytes)),
    signal,
  )
  // told with the last slice where it was not known before
  const length = slice.isLast ? offset + slice.bytes : undefined
  return address.append(offset, slice, length, stop)
}

/** What fetch throws when there is no answer; a file that cannot be read is another matter. */
const isNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
