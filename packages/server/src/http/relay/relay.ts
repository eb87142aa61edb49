import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { trustWith } from '@wharf/downloads/trusted-roots.ts'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import type { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { safetyHeaders } from '../send.ts'
import { type Hops, hopHeader } from './hop.ts'
import { probeLiveness, type Trust } from './liveness-probe.ts'
import { passedOn } from './passed-on.ts'
import { pump } from './pump.ts'

/** Whoever gets it must do one or the other, or its caller is held up. */
interface UnreadBody {
  handOver(): AsyncIterable<Buffer>
  discard(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Another node makes this call for its caller. It goes no further. */
    isRelayed: boolean
    /** The body as it came, for a call that is made elsewhere: its bytes, or what is still to be read. */
    sentBody: Buffer | UnreadBody | undefined
    /** The node that the call was forwarded to. */
    handedTo: string | undefined
  }
}

export interface RelayParts {
  readonly hops: Hops
  /** Authorities to trust beside the usual ones, for nodes that are reached over https. */
  readonly caFile?: string | undefined
  readonly nodes: {
    find(uuid: string): Promise<{ readonly url: string | null; readonly isAlive: boolean } | undefined>
  }
}

/** Makes the call at the other node and passes its answer on; a failure when that could not be done, or was given up. */
export type Relay = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: WrongNodeError,
  givenUp?: AbortSignal,
) => Promise<ApiError | undefined>

/**
 * A connection serves one call, so none is found closed when it is needed; and the other side does not close it of itself,
 * so that the refusal of a slice is not lost while the slice is still on its way.
 */
const agents = { keepAlive: true, maxFreeSockets: 0 }
const plain = { send: httpRequest, agent: new HttpAgent(agents) }
const secure = { send: httpsRequest, agent: new HttpsAgent(agents) }

const callerGone = new Error('the caller has gone')

export function makeRelay({ nodes, hops, caFile }: RelayParts): Relay {
  const originOf = async ({ isRelayed }: FastifyRequest, { nodeUuid, message }: WrongNodeError): Promise<string> => {
    if (isRelayed) throw new ApiError('SYS.1012', `${message}, and the rest of what it takes is not there`)
    const node = await nodes.find(nodeUuid)
    if (!node?.isAlive || node.url === null) throw new ApiError('SYS.1012', `${message}, which is not alive`)
    return new URL(node.url).origin
  }

  return async (request, reply, error, givenUp) => {
    const { sentBody } = request
    const origin = await originOf(request, error).catch((refusal: unknown) => {
      if (isUnread(sentBody)) sentBody.discard()
      throw refusal
    })
    request.handedTo = error.nodeUuid
    const trust = caFile === undefined ? {} : { secureContext: trustWith(caFile) }
    const outgoing = call(origin, request, trust, hops)
    using _life = probeLiveness(
      origin,
      trust,
      () => void outgoing.destroy(new Error('it has not answered for seconds')),
    )
    let isSent = false
    void sendBody(sentBody, outgoing).then(() => {
      isSent = true
    })
    // one that goes while it sends is noticed by the sending, after what had come
    reply.raw.once('close', () => void (isSent && !reply.raw.writableFinished && outgoing.destroy(callerGone)))
    using _givenUp = onAbort(givenUp, () => void (reply.sent || outgoing.destroy(new Error('it was given up'))))
    try {
      await answer(await responseTo(outgoing), reply)
      return undefined
    } catch (failure) {
      return new ApiError('SYS.1012', `management node ${error.nodeUuid} is unreachable: ${reasonOf(failure)}`)
    } finally {
      outgoing.destroy()
      // a caller that has its answer may still be sending what nobody wants
      if (isUnread(sentBody) && !isSent) sentBody.discard()
    }
  }
}

function call(origin: string, request: FastifyRequest, trust: Trust, hops: Hops): ClientRequest {
  const { method, originalUrl: target, id, ip, protocol, host, raw, sentBody } = request
  const { send, agent } = origin.startsWith('https:') ? secure : plain
  const hop = hops.write({ method, target }, { requestId: id, source: ip, protocol, host })
  const headers = [...passedOn(raw.rawHeaders, [hopHeader, 'content-length']), hopHeader, hop]
  if (raw.headers.host === undefined) headers.push('host', new URL(origin).host)
  const length = Buffer.isBuffer(sentBody) ? sentBody.length : raw.headers['content-length']
  if (sentBody !== undefined && length !== undefined) headers.push('content-length', String(length))
  else if (sentBody !== undefined) headers.push('transfer-encoding', 'chunked')
  return send(origin, { ...trust, method, path: target, agent, headers })
}

const isUnread = (body: FastifyRequest['sentBody']): body is UnreadBody => body !== undefined && !Buffer.isBuffer(body)

async function sendBody(body: FastifyRequest['sentBody'], to: ClientRequest): Promise<void> {
  if (isUnread(body)) await pump(body.handOver(), to)
  else to.end(body)
}

const responseTo = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    // also when the connection closes without an error
    outgoing.on('error', reject).on('close', () => reject(new Error('it has broken off')))
  })

async function answer(response: IncomingMessage, reply: FastifyReply): Promise<void> {
  reply.hijack()
  // a node of an earlier version leaves some of these out
  const missing = Object.entries(safetyHeaders).filter(([name]) => response.headers[name] === undefined)
  reply.raw.writeHead(response.statusCode ?? 502, [...passedOn(response.rawHeaders), ...missing.flat()])
  await pipeline(response, reply.raw).catch(() => reply.raw.destroy())
}
