import type { Operation } from '@wharf/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Binding } from '../calls/bind.ts'
import type { Call } from '../calls/call-context.ts'

/** For streamed responses. */
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
