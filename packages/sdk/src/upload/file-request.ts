import type { ClientRequest } from 'node:http'
import { openRequest, readResponse } from '../http/node-request.ts'
import type { HttpResponse } from '../http/send-request.ts'
import type { SliceRequest } from './byte-source.ts'
import { type FileRange, readNext } from './file-range.ts'

/** Large enough to make system calls negligible, small enough to fit the processor caches. */
const bufferBytes = 512 * 1024

/**
 * Sends a range of a file as a request body with node:http instead of fetch: it reports when bytes are sent, so two
 * buffers suffice.
 */
export async function sendFile(
  url: string,
  { headers, ...request }: SliceRequest,
  range: FileRange,
): Promise<HttpResponse> {
  const call = openRequest(url, { ...request, headers: { ...headers, 'content-length': String(range.bytes) } })
  let failure: unknown
  writeRange(call, range).catch((error: unknown) => {
    failure = error
    call.destroy()
  })
  try {
    return await readResponse(call, request.signal)
  } catch (error) {
    throw failure ?? error
  } finally {
    // the server responded early: the rest of the body is not sent, so the connection cannot be reused
    if (!call.writableEnded) call.destroy()
  }
}

/** Reads into one buffer while the other is being sent. */
async function writeRange(call: ClientRequest, range: FileRange): Promise<void> {
  let [reading, sending] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)]
  let sent = Promise.resolve()
  for (let done = 0; done < range.bytes; ) {
    const bytes = await readNext(range, done, reading)
    await sent
    if (call.destroyed) return
    range.onSent(done)
    // the request itself reports a failed write
    sent = new Promise((resolve) => call.write(bytes, () => resolve()))
    done += bytes.length
    ;[reading, sending] = [sending, reading]
  }
  await sent
  if (call.destroyed) return
  call.end()
  range.onSent(range.bytes)
}
