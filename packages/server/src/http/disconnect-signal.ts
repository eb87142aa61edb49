import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

const signals = new WeakMap<Socket, AbortSignal>()

/** Aborted when the connection of a call is closed. One signal per connection: many calls may wait on one. */
export function disconnectSignal({ request }: Pick<Exchange, 'request'>): AbortSignal {
  const { socket } = request.raw
  const known = signals.get(socket)
  if (known) return known
  const closing = new AbortController()
  if (socket.destroyed) closing.abort()
  else socket.once('close', () => closing.abort())
  signals.set(socket, closing.signal)
  return closing.signal
}
