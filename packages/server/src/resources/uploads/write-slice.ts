import { onAbort } from '@wharf/platform/abort.ts'
import { bufferBytes } from '@wharf/platform/buffer-pool.ts'
import { BufferWriter, type Destination } from './buffer-writer.ts'
import type { SliceBody } from './slice-body.ts'

interface Slice extends Destination {
  readonly body: SliceBody
  readonly maxBytes: number
  /** Stops it; the bytes that have arrived are written. */
  readonly signal: AbortSignal
}

export type Ending = 'complete' | 'broken' | 'interrupted' | 'too-large'

/** Writes and hashes a body as it arrives, with the disk's back-pressure. Throws when a write fails. */
export async function writeSlice(slice: Slice): Promise<{ bytes: number; ending: Ending }> {
  const { body, maxBytes, signal, buffers } = slice
  const writer = new BufferWriter(slice)
  const stopped = Promise.withResolvers<Ending>()
  let isPumping = false
  let pumped = Promise.resolve()

  const pump = async (): Promise<void> => {
    isPumping = true
    while (body.waitingBytes >= bufferBytes && body.arrivedBytes <= maxBytes)
      writer.write(buffers.tryAcquire() ?? (await buffers.acquire()), body).catch(stopped.reject)
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
    if (ending !== 'too-large') while (body.waitingBytes > 0) await writer.write(await buffers.acquire(), body)
    await writer.done()
    return { bytes: body.arrivedBytes, ending }
  } finally {
    body.stop()
    // no write may be pending when this ends
    await pumped
    await writer.done().catch(() => {})
  }
}
