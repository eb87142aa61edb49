import { maxHeaderSize, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { invalid } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { FastifyInstance } from 'fastify'
import { failureText } from './failures.ts'
import { jsonType, safetyHeaders } from './send.ts'

/** A head is 16 KiB at most and comes at once; who has not sent it by then keeps a connection for nothing. */
const headersTimeout = 20_000
/** How often Node looks for such connections. */
const connectionsCheckingInterval = 5_000

/** Of a listener. Node refuses a missing Host without a body, so we look for it ourselves. */
export const httpOptions = {
  highWaterMark: 1 << 20,
  requireHostHeader: false,
  headersTimeout,
  connectionsCheckingInterval,
}

/** Node answers an unknown `Expect` with 417 and no body. HTTP lets us ignore it. */
export function answerExpectations(server: Server, app: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => app.routing(request, response))
}

interface Unreadable {
  readonly code?: string | undefined
  /** The bytes that were being read. */
  readonly rawPacket?: unknown
}

/** What the HTTP parser refuses never becomes a request; it gets the same body all the same. */
export const makeRefuseUnreadable =
  (errorAlone = false) =>
  (error: Unreadable, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, reason, words] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? isInRequestLine(error.rawPacket)
          ? [414, 'URI Too Long', 'the address is too long']
          : [431, 'Request Header Fields Too Large', 'the headers are too long']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? [408, 'Request Timeout', 'the request did not arrive in time']
          : [400, 'Bad Request', 'this is not a readable HTTP request']
    const requestId = newUuid()
    const body = failureText(Object.assign(invalid(words), { status }), requestId, errorAlone)
    const headers = {
      ...safetyHeaders,
      'content-type': jsonType,
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`)
  }

/** The parser does not tell what was too long: without an end of line it was still reading the first one. */
const isInRequestLine = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && /^[A-Z]+ [^\n]*$/.test(packet.subarray(0, maxHeaderSize).toString('latin1'))
