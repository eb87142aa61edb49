import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { text } from 'node:stream/consumers'
import { type FilePiece, readNext } from './file-piece.ts'
import type { SliceRequest } from './source.ts'

/** Large enough that the calls do not count, small enough to stay in the caches of a processor. */
const bufferBytes = 512 * 1024
/** As patient as fetch: with an address that nobody answers at, and with a server that neither takes nor says anything. */
const connectMs = 10_000
const silenceMs = 300_000
/** What fetch says of itself; some proxies refuse whoever says nothing. */
const manners = { accept: '*/*', 'user-agent': 'node' }

/**
 * Sends a piece of a file as the body of a request, by Node's own client instead of fetch: that one tells when bytes have
 * left, so two buffers do for all of them. Its proxies and certificates are those of the process, as with fetch.
 */
export async function sendFile(
  url: string,
  { headers, ...request }: SliceRequest,
  piece: FilePiece,
): Promise<Response> {
  const ask = url.startsWith('https:') ? encrypted : plain
  const length = { 'content-length': piece.bytes }
  const call = ask(url, { ...request, headers: { ...manners, ...headers, ...length }, timeout: connectMs })
  call.setTimeout(silenceMs).on('timeout', () => call.destroy(new Error('the server has been silent for too long')))
  const answered = new Promise<IncomingMessage>((resolve, reject) => call.once('response', resolve).on('error', reject))
  let failure: unknown
  writePiece(call, piece).catch((error: unknown) => {
    failure = error
    call.destroy()
  })
  try {
    const answer = await answered
    return responseOf(answer, await text(answer))
  } catch (cause) {
    request.signal.throwIfAborted()
    // what is not the file's fault is told as fetch does
    throw failure ?? new TypeError((cause as Error).message, { cause })
  } finally {
    // answered before its end: nobody wants the rest, and no other request can follow on this connection
    if (!call.writableEnded) call.destroy()
  }
}

/** One buffer is read into while the other is on its way; it is used again when the system has all of its bytes. */
async function writePiece(call: ClientRequest, piece: FilePiece): Promise<void> {
  let [reading, leaving] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)]
  let left = Promise.resolve()
  for (let done = 0; done < piece.bytes; ) {
    const bytes = await readNext(piece, done, reading)
    await left
    if (call.destroyed) return
    piece.onSent(done)
    // a failure is the request's own, and told there
    left = new Promise((resolve) => call.write(bytes, () => resolve()))
    done += bytes.length
    ;[reading, leaving] = [leaving, reading]
  }
  await left
  if (call.destroyed) return
  call.end()
  piece.onSent(piece.bytes)
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, body: string): Response {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  // an answer such as 204 must have no body, not an empty one
  return new Response(body || null, { status: statusCode, headers: named })
}
