import type { IncomingMessage } from 'node:http'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'

/**
 * Frees what the connection has read for a response, as soon as the parser, which copies the body, has received it. The reader
 * frees the copies.
 */
export function releaseReceived(response: IncomingMessage): void {
  const { socket } = response
  // after the parser, which listens since the request
  socket.on('data', releaseBuffer)
  const stop = (): void => void socket.off('data', releaseBuffer)
  // the connection may be used again, and then the parser would be the second one to listen
  response.once('end', stop).once('close', stop)
}
