import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Unsent, UnsentBytes } from './unsent-bytes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits the time of its body itself. */
    hasOwnBodyTimeout?: boolean
  }
}

export interface SlowLimits {
  /** A body is 256 KiB at most. */
  readonly bodyMs: number
  /** A page of 10,000 records is some megabytes. */
  readonly responseMs: number
}

const slowLimits: SlowLimits = { bodyMs: 30_000, responseMs: 120_000 }

/** A shorter response fits into the buffers of a connection, which Node closes when it is idle. */
const longResponseBytes = 64 * 1024
/** The bytes of a long response that are written before others continue. */
const pieceBytes = 32 * 1024
/** The bytes of all long responses per turn of the event loop: Node accepts one connection per turn. */
const piecesPerTurn = 2

export interface LongResponses {
  readonly unsent: UnsentBytes
  /** The error for a response that exceeds the memory limit. */
  rejectResponse(request: FastifyRequest, reply: FastifyReply): Buffer
}

/**
 * Slow clients do not keep connections. `refuse` rejects a call whose body does not arrive in time, or disconnects it
 * when the response did not depend on it; a client that does not read a response in time is disconnected. (Headers: malformed-requests.ts.)
 */
export function boundSlowClients(
  app: FastifyInstance,
  refuse: (request: FastifyRequest, reply: FastifyReply) => unknown,
  { unsent, rejectResponse }: LongResponses,
  { bodyMs, responseMs }: SlowLimits = slowLimits,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !request.routeOptions.config?.hasOwnBodyTimeout) {
      const { raw } = request
      const timer = setTimeout(() => {
        if (raw.complete) return
        if (reply.sent) raw.socket.destroy()
        else refuse(request, reply.header('connection', 'close'))
      }, bodyMs)
      clearOnEnd(raw, timer, 'end')
      // closing the connection after the response discards the rest of the body
      reply.raw.once('close', () => {
        if (raw.complete || raw.socket.writableEnded) clearTimeout(timer)
      })
      // no other code reads the bodies of these
      if (request.method === 'GET' || request.method === 'HEAD') raw.resume()
    }
    done()
  })
  const lastLong = new WeakMap<Socket, ServerResponse>()
  const memory = new SharedBuffers(unsent)
  app.addHook('onSend', (request, reply, payload, done) => {
    const whole = mayBeLong(payload) ? Buffer.from(payload) : payload
    if (!Buffer.isBuffer(whole) || whole.length < longResponseBytes) return done(null, whole)
    const { socket } = request.raw
    // a call that has changed something still gets its response
    const isRead = request.method === 'GET'
    if (isRead && !memory.hasSpaceFor(whole)) return done(null, rejectResponse(request, reply))
    const progress = memory.add(whole, reply.raw)
    clearOnEnd(
      reply.raw,
      setTimeout(() => reply.raw.destroy(), responseMs),
      'finish',
    )
    reply.header('content-length', whole.length)
    const before = lastLong.get(socket)
    lastLong.set(socket, reply.raw)
    done(null, inPieces(whole, before, progress))
  })
}

/** A character has at most three bytes. */
const mayBeLong = (payload: unknown): payload is string =>
  typeof payload === 'string' && payload.length >= longResponseBytes / 3

/**
 * A client that requests long responses without reading them fills socket buffers: hundreds of
 * megabytes in one turn of the event loop. Earlier responses of the same connection are written first;
 * until then this response waits.
 */
function inPieces(whole: Buffer, before: ServerResponse | undefined, progress: () => void): Readable {
  let sent = 0
  let waitsFor = before
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      const next = (): void => {
        this.push(whole.subarray(sent, sent + pieceBytes))
        sent += pieceBytes
        progress()
        if (sent >= whole.length) this.push(null)
      }
      if (waitsFor === undefined || waitsFor.writableFinished || waitsFor.destroyed) enqueue(next)
      else waitsFor.once('close', () => enqueue(next))
      waitsFor = undefined
    },
  })
}

interface PendingBuffer {
  readonly unsent: Unsent
  readonly readers: Set<ServerResponse>
}

/** The unsent responses. A shared text counts once, until its last response closes. */
class SharedBuffers {
  readonly #unsent: UnsentBytes
  readonly #pending = new WeakMap<Buffer, PendingBuffer>()

  constructor(unsent: UnsentBytes) {
    this.#unsent = unsent
  }

  hasSpaceFor(whole: Buffer): boolean {
    return this.#pending.has(whole) || this.#unsent.makeSpace(whole.length)
  }

  /** Counts until the response closes. Returns a function to call when its reader has read a part. */
  add(whole: Buffer, response: ServerResponse): () => void {
    const pending = this.#pending.get(whole) ?? this.#open(whole)
    pending.readers.add(response)
    pending.unsent.progress()
    response.once('close', () => {
      pending.readers.delete(response)
      if (pending.readers.size > 0) return
      pending.unsent.close()
      if (this.#pending.get(whole) === pending) this.#pending.delete(whole)
    })
    return pending.unsent.progress
  }

  /** Disconnected when all of its readers have stalled. */
  #open(whole: Buffer): PendingBuffer {
    const readers = new Set<ServerResponse>()
    const unsent = this.#unsent.open(() => {
      this.#pending.delete(whole)
      for (const response of readers) response.destroy()
    })
    const pending = { unsent, readers }
    this.#pending.set(whole, pending)
    unsent.set(whole.length)
    return pending
  }
}

const queued: (() => void)[] = []

function enqueue(work: () => void): void {
  if (queued.push(work) === 1) setImmediate(runQueued)
}

function runQueued(): void {
  for (const work of queued.slice(0, piecesPerTurn)) {
    work()
    queued.shift()
  }
  if (queued.length > 0) setImmediate(runQueued)
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

function clearOnEnd(stream: NodeJS.EventEmitter, timer: NodeJS.Timeout, end: 'end' | 'finish'): void {
  const clear = (): void => clearTimeout(timer)
  stream.once(end, clear).once('close', clear)
}
