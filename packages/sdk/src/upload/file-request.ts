import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { text } from 'node:stream/consumers'
import type { SliceRequest } from './byte-source.ts'
import { type FileRange, readNext } from './file-range.ts'

/** Large enough to make system calls negligible, small enough to fit the processor caches. */
const bufferBytes = 512 * 1024
/** The timeouts of fetch. */
const connectTimeoutMs = 10_000
const idleTimeoutMs = 300_000
/** The headers of fetch; some proxies refuse a request without them. */
const fetchHeaders = { accept: '*/*', 'user-agent': 'node' }

/**
 * Sends a range of a file as a request body with node:http instead of fetch: it reports when bytes are sent, so two
 * buffers suffice. It uses the proxies and certificates of the process, as fetch does.
 */
export async function sendFile(
  url: string,
  { headers, ...request }: SliceRequest,
  range: FileRange,
): Promise<Response> {
  const open = url.startsWith('https:') ? encrypted : plain
  const length = { 'content-length': range.bytes }
  const call = open(url, { ...request, headers: { ...fetchHeaders, ...headers, ...length }, timeout: connectTimeoutMs })
  call
    .setTimeout(idleTimeoutMs)
    .on('timeout', () => call.destroy(new Error(`no activity for ${idleTimeoutMs / 1000} s`)))
  const answered = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).on('error', reject))
  let failure: unknown
  writeRange(call, range).catch((error: unknown) => {
    failure = error
    call.destroy()
  })
  try {
    const answer = await answered
    return responseOf(answer, await text(answer))
  } catch (cause) {
    request.signal.throwIfAborted()
    // fetch reports network failures as TypeError
    throw failure ?? new TypeError((cause as Error).message, { cause })
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

function responseOf({ statusCode = 0, headers }: IncomingMessage, body: string): Response {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  // Response rejects an empty body for 204
  return new Response(body || null, { status: statusCode, headers: named })
}
