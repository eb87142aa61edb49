import { isUtf8 } from 'node:buffer'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { verifyDigest } from './rfc9421-headers.ts'

export const maxBodyBytes = 256 * 1024
const maxDepth = 64

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]')

/** Bodies are JSON in UTF-8. Without a body any content type is accepted. */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  refuseOtherBody(request, body)
  if (body.length === 0) return undefined
  request.sentBody = body
  refuseOtherTypes(request, body)
  if (!isUtf8(body)) throw invalid('the body is not UTF-8')
  if (isDeeperThan(body, maxDepth)) throw invalid(`the body is nested deeper than ${maxDepth} levels`)
  try {
    return JSON.parse(body.toString(), refusePrototypes)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalid('the body is not valid JSON')
  }
}

function refuseOtherBody(request: FastifyRequest, body: Buffer): void {
  if (request.signedMessage === undefined) return
  try {
    verifyDigest(request.signedMessage, body)
  } catch (error) {
    // nobody has signed this call
    request.caller = undefined
    throw error
  }
}

/** Recursion over a value with thousands of levels overflows the stack; valid bodies have five. */
function isDeeperThan(json: Buffer, levels: number): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (byte === quote) isText = !isText
    else if (isText) index += byte === backslash ? 1 : 0
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) depth--
    if (depth > levels) return true
  }
  return false
}

function refuseOtherTypes({ headers, caller }: FastifyRequest, body: Buffer): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    throw new ApiError('SYS.1007', 'the body may not be compressed', { status: 415 })
  const [type = '', ...parameters] = String(headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((p) => p.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  const isUtf = charset === undefined || charset === 'utf-8' || charset === 'utf8'
  if (type === 'application/json' && isUtf) return
  // some client libraries send JSON with a form type
  const isForm = type === 'application/x-www-form-urlencoded' && caller?.credential.kind === 'key'
  if (isForm && body.toString('latin1').trimStart().startsWith('{')) return
  throw new ApiError('SYS.1007', 'the Content-Type must be application/json;charset=UTF-8', { status: 415 })
}

function refusePrototypes(key: string, value: unknown): unknown {
  if (key === '__proto__') throw invalid('the body has an unknown field "__proto__"')
  return value
}
