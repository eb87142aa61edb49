import type { IncomingMessage } from 'node:http'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'

/** Frees what the connection reads for a response as soon as the parser, which copies the body, has received it. */
export function releaseReceived(response: IncomingMessage): void {
  const { socket } = response
  // after the parser, which listens since the request
  socket.on('data', releaseBuffer)
  const stop = (): void => void socket.off('data', releaseBuffer)
  // when the connection is used again, the parser listens again, and must be first
  response.once('end', stop).once('close', stop)
}
