import { onAbort } from '@wharf/platform/abort.ts'
import { slotBytes } from './limits.ts'
import type { SliceBody } from './slice-body.ts'
import { type Destination, SlotWriter } from './slot-writer.ts'

interface Slice extends Destination {
  readonly body: SliceBody
  readonly maxBytes: number
  /** Stops it; what has arrived by then is written. */
  readonly signal: AbortSignal
}

export type Ending = 'complete' | 'broken' | 'interrupted' | 'too-large'

/** Writes and hashes a body as it comes, as fast as it comes and no faster than the disk. Throws when a write fails. */
export async function receiveSlice(slice: Slice): Promise<{ bytes: number; ending: Ending }> {
  const { body, maxBytes, signal, slots } = slice
  const writer = new SlotWriter(slice)
  const stopped = Promise.withResolvers<Ending>()
  let isPumping = false
  let pumped = Promise.resolve()

  const pump = async (): Promise<void> => {
    isPumping = true
    while (body.waitingBytes >= slotBytes && body.arrivedBytes <= maxBytes)
      writer.write(slots.take() ?? (await slots.wait()), body).catch(stopped.reject)
    isPumping = false
    if (body.arrivedBytes > maxBytes) stopped.resolve('too-large')
    else if (body.ending !== undefined) stopped.resolve(body.ending)
  }
  using _listening = onAbort(signal, () => stopped.resolve('interrupted'))
  body.watch(() => {
    if (!isPumping) pumped = pump()
  })
  try {
    const ending = await stopped.promise
    body.stop()
    await pumped
    if (ending !== 'too-large') while (body.waitingBytes > 0) await writer.write(await slots.wait(), body)
    await writer.done()
    return { bytes: body.arrivedBytes, ending }
  } finally {
    body.stop()
    // nothing may still be on its way to the file when this ends
    await pumped
    await writer.done().catch(() => {})
  }
}
