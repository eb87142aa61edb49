import type { Socket } from 'node:net'
import type { AnswerOf, Operation, Recorded } from '@wharf/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Binding } from '../calls/bind.ts'
import type { Call } from '../calls/call-context.ts'

/** For streamed responses, and for headers. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A served operation: most handlers need only the call. */
export interface ServedBinding extends Omit<Binding, 'handler'> {
  readonly handler: (call: Call, exchange: Exchange) => ReturnType<Binding['handler']>
}

/** The handler writes the answer itself. */
export function stream<O extends Operation>(
  operation: O,
  handler: (call: Call<O>, exchange: Exchange) => Promise<void>,
  admits?: Binding['admits'],
): ServedBinding {
  const binding = { operation, handler: handler as unknown as ServedBinding['handler'] }
  return admits === undefined ? binding : { ...binding, admits }
}

/** The handler also uses headers of the request or of the response. */
export const answerWith = <O extends Operation>(
  operation: O,
  handler: (call: Call<O>, exchange: Exchange) => Promise<Recorded<AnswerOf<O>>>,
): ServedBinding => ({ operation, handler: handler as unknown as ServedBinding['handler'] })

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

export const rawQuery = (request: FastifyRequest): string => (request.query as { raw: string }).raw
