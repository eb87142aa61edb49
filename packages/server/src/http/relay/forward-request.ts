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
import { forwardBody } from './forward-body.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { probeLiveness, type Trust } from './liveness-probe.ts'
import { type Hops, hopHeader } from './relay-hop.ts'

/** One of both must be called, or the caller's upload blocks. */
interface UnreadBody {
  readRest(): AsyncIterable<Buffer>
  discard(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Another node has forwarded this call; it is not forwarded again. */
    isRelayed: boolean
    /** The body to forward: its bytes, or the part that is still to be read. */
    sentBody: Buffer | UnreadBody | undefined
    /** The node that the call was forwarded to. */
    forwardedTo: string | undefined
  }
}

export interface RelayDeps {
  readonly hops: Hops
  /** Authorities to trust besides the usual ones, for nodes over https. */
  readonly caFile?: string | undefined
  readonly nodes: {
    find(uuid: string): Promise<{ readonly url: string | null; readonly isAlive: boolean } | undefined>
  }
}

/** Forwards the call and streams the response back; returns an error when that failed or was abandoned. */
export type Relay = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: WrongNodeError,
  abandoned?: AbortSignal,
) => Promise<ApiError | undefined>

/**
 * One connection per call, so that none is found closed; with keep-alive the other side does not close it before the
 * refusal of a slice has arrived.
 */
const agents = { keepAlive: true, maxFreeSockets: 0 }
const plain = { request: httpRequest, agent: new HttpAgent(agents) }
const secure = { request: httpsRequest, agent: new HttpsAgent(agents) }

const callerDisconnected = new Error('the caller has disconnected')

export function createRelay({ nodes, hops, caFile }: RelayDeps): Relay {
  const originOf = async ({ isRelayed }: FastifyRequest, { nodeUuid, message }: WrongNodeError): Promise<string> => {
    if (isRelayed)
      throw new ApiError('SYS.1012', `${message}, and the other resources of this call are not on that node`)
    const node = await nodes.find(nodeUuid)
    if (!node?.isAlive || node.url === null)
      throw new ApiError('SYS.1012', `${message}, which is not alive; start that node, then repeat the call`)
    return new URL(node.url).origin
  }

  return async (request, reply, error, abandoned) => {
    const { sentBody } = request
    const origin = await originOf(request, error).catch((refusal: unknown) => {
      if (isUnread(sentBody)) sentBody.discard()
      throw refusal
    })
    request.forwardedTo = error.nodeUuid
    const trust = caFile === undefined ? {} : { secureContext: trustWith(caFile) }
    const outgoing = send(origin, request, trust, hops)
    using _probe = probeLiveness(
      origin,
      trust,
      () => void outgoing.destroy(new Error('no response for several seconds')),
    )
    let isSent = false
    void sendBody(sentBody, outgoing).then(() => {
      isSent = true
    })
    // a caller that disconnects while it sends is noticed by forwardBody
    reply.raw.once('close', () => void (isSent && !reply.raw.writableFinished && outgoing.destroy(callerDisconnected)))
    using _abandoned = onAbort(abandoned, () => void (reply.sent || outgoing.destroy(new Error('it was abandoned'))))
    try {
      await sendResponse(await responseTo(outgoing), reply)
      return undefined
    } catch (failure) {
      return new ApiError(
        'SYS.1012',
        `management node ${error.nodeUuid} is unreachable: ${reasonOf(failure)}; check that node and its address, then repeat the call`,
      )
    } finally {
      outgoing.destroy()
      // a caller that has its response may still be sending its body
      if (isUnread(sentBody) && !isSent) sentBody.discard()
    }
  }
}

function send(origin: string, request: FastifyRequest, trust: Trust, hops: Hops): ClientRequest {
  const { method, originalUrl: target, id, ip, protocol, host, raw, sentBody } = request
  const { request: sendRequest, agent } = origin.startsWith('https:') ? secure : plain
  const hop = hops.write({ method, target }, { requestId: id, source: ip, protocol, host })
  const headers = [...forwardedHeaders(raw.rawHeaders, [hopHeader, 'content-length']), hopHeader, hop]
  if (raw.headers.host === undefined) headers.push('host', new URL(origin).host)
  const length = Buffer.isBuffer(sentBody) ? sentBody.length : raw.headers['content-length']
  if (sentBody !== undefined && length !== undefined) headers.push('content-length', String(length))
  else if (sentBody !== undefined) headers.push('transfer-encoding', 'chunked')
  return sendRequest(origin, { ...trust, method, path: target, agent, headers })
}

const isUnread = (body: FastifyRequest['sentBody']): body is UnreadBody => body !== undefined && !Buffer.isBuffer(body)

async function sendBody(body: FastifyRequest['sentBody'], to: ClientRequest): Promise<void> {
  if (isUnread(body)) await forwardBody(body.readRest(), to)
  else to.end(body)
}

const responseTo = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    // also when the connection closes without an error
    outgoing.on('error', reject).on('close', () => reject(new Error('the connection was closed')))
  })

async function sendResponse(response: IncomingMessage, reply: FastifyReply): Promise<void> {
  reply.hijack()
  // a node of an earlier version omits some of these
  const missing = Object.entries(safetyHeaders).filter(([name]) => response.headers[name] === undefined)
  reply.raw.writeHead(response.statusCode ?? 502, [...forwardedHeaders(response.rawHeaders), ...missing.flat()])
  await pipeline(response, reply.raw).catch(() => reply.raw.destroy())
}
