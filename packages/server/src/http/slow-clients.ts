import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route looks after its body itself, however long that takes. */
    takesItsTime?: boolean
  }
}

export interface SlowLimits {
  /** A body is 256 KiB at most. */
  readonly bodyMs: number
  /** A page of 10,000 records is some megabytes. */
  readonly answerMs: number
}

const slowLimits: SlowLimits = { bodyMs: 30_000, answerMs: 120_000 }

/** What is shorter fits into the buffers of a connection, which Node closes when it is idle. */
const longAnswerBytes = 64 * 1024
/** Of a long answer, before it is somebody else's turn. */
const pieceBytes = 32 * 1024
/** Of all long answers together, before others are looked at: Node takes one new connection each time it looks around. */
const piecesAtOnce = 2

/**
 * Nobody keeps a connection by being slow. Who does not send the body of a call in time is refused by `refuse`, or cut
 * off when the answer did not depend on it; who does not take an answer in time is cut off. (Heads: unreadable.ts.)
 */
export function boundSlowClients(
  app: FastifyInstance,
  refuse: (request: FastifyRequest, reply: FastifyReply) => unknown,
  { bodyMs, answerMs }: SlowLimits = slowLimits,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !request.routeOptions.config?.takesItsTime) {
      const { raw } = request
      const timer = setTimeout(() => {
        if (raw.complete) return
        if (reply.sent) raw.socket.destroy()
        else refuse(request, reply.header('connection', 'close'))
      }, bodyMs)
      clearWhenOver(raw, timer, 'end')
      // a connection that ends with its answer takes the rest of the body along
      reply.raw.once('close', () => {
        if (raw.complete || raw.socket.writableEnded) clearTimeout(timer)
      })
      // nobody else reads what comes with these
      if (request.method === 'GET' || request.method === 'HEAD') raw.resume()
    }
    done()
  })
  const lastLong = new WeakMap<Socket, ServerResponse>()
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    const whole = mayBeLong(payload) ? Buffer.from(payload) : payload
    if (!Buffer.isBuffer(whole) || whole.length < longAnswerBytes) return done(null, whole)
    clearWhenOver(
      reply.raw,
      setTimeout(() => reply.raw.destroy(), answerMs),
      'finish',
    )
    reply.header('content-length', whole.length)
    const before = lastLong.get(socket)
    lastLong.set(socket, reply.raw)
    done(null, inPieces(whole, before))
  })
}

/** A character has three bytes at most. */
const mayBeLong = (payload: unknown): payload is string =>
  typeof payload === 'string' && payload.length >= longAnswerBytes / 3

/**
 * Whoever asks for long answers and does not read them fills buffers of the system, one after the other: hundreds of
 * megabytes in one go, if nobody else were let in between. What was asked for on the same connection before goes first;
 * until then this answer would only pile up.
 */
function inPieces(whole: Buffer, before: ServerResponse | undefined): Readable {
  let sent = 0
  let waitsFor = before
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      const next = (): void => {
        this.push(whole.subarray(sent, sent + pieceBytes))
        sent += pieceBytes
        if (sent >= whole.length) this.push(null)
      }
      if (waitsFor === undefined || waitsFor.writableFinished || waitsFor.destroyed) inTurn(next)
      else waitsFor.once('close', () => inTurn(next))
      waitsFor = undefined
    },
  })
}

const waiting: (() => void)[] = []

function inTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(takeTurns)
}

function takeTurns(): void {
  for (const work of waiting.slice(0, piecesAtOnce)) {
    work()
    waiting.shift()
  }
  if (waiting.length > 0) setImmediate(takeTurns)
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

function clearWhenOver(stream: NodeJS.EventEmitter, timer: NodeJS.Timeout, end: 'end' | 'finish'): void {
  const clear = (): void => clearTimeout(timer)
  stream.once(end, clear).once('close', clear)
}
