import { maxHeaderSize, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { invalid } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { FastifyInstance } from 'fastify'
import { failureText } from './failures.ts'
import { jsonType, safetyHeaders } from './send.ts'

/** Headers have at most 16 KiB and arrive at once; a slower client only occupies a connection. */
const headersTimeout = 20_000
/** How often Node checks for such connections. */
const connectionsCheckingInterval = 5_000

/** Options of a listener. Node rejects a missing Host without a response body, so we check it ourselves. */
export const httpOptions = {
  // with 1 MiB, eight uploads take 20 MiB more and are no faster
  highWaterMark: 256 * 1024,
  requireHostHeader: false,
  headersTimeout,
  connectionsCheckingInterval,
}

/** Node returns 417 without a body for an unknown `Expect`; HTTP allows ignoring it. */
export function ignoreExpectations(server: Server, app: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => app.routing(request, response))
}

interface ParserError {
  readonly code?: string | undefined
  /** The bytes being parsed. */
  readonly rawPacket?: unknown
}

/** Input that the HTTP parser rejects never becomes a request, but gets the standard error body. */
export const createMalformedRequestHandler =
  (errorAlone = false) =>
  (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, reason, message] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? isInRequestLine(error.rawPacket)
          ? [414, 'URI Too Long', 'the address is too long']
          : [431, 'Request Header Fields Too Large', 'the headers are too long']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? [408, 'Request Timeout', 'the request did not arrive in time']
          : [400, 'Bad Request', 'this is not a readable HTTP request']
    const requestId = newUuid()
    const body = failureText(Object.assign(invalid(message), { status }), requestId, errorAlone)
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

/** The parser does not report what was too long: without a line end it was the request line. */
const isInRequestLine = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && /^[A-Z]+ [^\n]*$/.test(packet.subarray(0, maxHeaderSize).toString('latin1'))
