import { hash } from 'node:crypto'
import {
  coveredComponents,
  parseContentDigest,
  parseMessageSignature,
  type SignatureParameters,
  signatureAlgorithms,
} from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { FastifyRequest } from 'fastify'
import type { UsedNonce } from '../resources/identity/request-signatures/nonces.ts'
import type { SignedMessage } from '../resources/identity/request-signatures/rfc9421.ts'
import { hasBody } from './slow-clients.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call, if RFC 9421 authenticated it. */
    signedMessage: SignedMessage | undefined
  }
}

export interface PathSettings {
  readonly basePath: string
  readonly publicUrl?: string | undefined
}

const required = ['created', 'keyid', 'alg', 'nonce'] as const satisfies (keyof SignatureParameters)[]

/** Longer ones only fill the database. */
const maxNonce = 128

const unreadable = (fact: string): ApiError => new ApiError('ID.1000', `the signature (RFC 9421) ${fact}`)

/** The signature of a call in the headers of RFC 9421; undefined without one. Throws unless it covers the call. */
export function readSignedMessage(request: FastifyRequest, settings: PathSettings): SignedMessage | undefined {
  const { headers, method } = request
  const { 'signature-input': input, signature: sent } = headers
  if (input === undefined) return undefined
  const signature = parseMessageSignature(String(input), String(sent ?? ''))
  if (signature === undefined)
    throw unreadable('cannot be read: Signature-Input and Signature must contain one signature with the same label')
  const missing = required.filter((name) => signature[name] === undefined)
  if (missing.length > 0) throw unreadable(`has no ${missing.join(', ')}`)
  const { alg = '', nonce = '', components } = signature
  if (!(signatureAlgorithms as readonly string[]).includes(alg))
    throw unreadable(`has an unknown alg; use ${signatureAlgorithms.join(' or ')}`)
  if (nonce === '' || nonce.length > maxNonce)
    throw unreadable(`has an invalid nonce; use 1 to ${maxNonce} characters, another one for each call`)
  const sendsBody = hasBody(request)
  if (sendsBody && (method === 'GET' || method === 'HEAD'))
    throw unreadable('cannot cover the body of a GET, which is not read; send it without a body')
  const uncovered = coveredComponents(sendsBody).filter((name) => !components.includes(name))
  if (uncovered.length > 0) throw unreadable(`does not cover ${uncovered.join(', ')}`)
  const target = withoutOrigin(request.originalUrl)
  const [path = '', ...rest] = target.split('?')
  const message: SignedMessage = {
    method,
    path,
    otherPaths: () => otherPaths(path, request.raw.url ?? '', settings),
    query: `?${rest.join('?')}`,
    headers,
    signature,
  }
  if (!sendsBody && components.includes('content-digest')) verifyDigest(message, Buffer.alloc(0))
  return message
}

/** A target may be an absolute URL. */
const withoutOrigin = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')

/** A proxy may have removed a prefix that the client signed, or added one that it did not. */
function otherPaths(path: string, routed: string, { basePath, publicUrl }: PathSettings): string[] {
  const [bare = ''] = routed.split('?', 1)
  const publicPath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
  const paths = [bare, `${basePath}${bare}`, `${publicPath}${bare}`]
  return [...new Set(paths)].filter((other) => other !== path)
}

/** Before the body has any effect: its signature covers only this header. */
export function verifyDigest({ headers }: Pick<SignedMessage, 'headers'>, body: Buffer): void {
  const digests = parseContentDigest(String(headers['content-digest'] ?? ''))
  if (digests === undefined || digests.length === 0)
    throw unreadable('needs a Content-Digest of the body, with sha-256 or sha-512')
  for (const { algorithm, digest } of digests)
    if (!constantTimeEqual(digest, hash(algorithm.replace('-', ''), body, 'base64')))
      throw unreadable(`covers another body: its ${algorithm} is not that of Content-Digest`)
}

/** Undefined for a call without a nonce. */
export function nonceOf({ signedMessage, id }: FastifyRequest): UsedNonce | undefined {
  if (signedMessage === undefined) return undefined
  const { keyid = '', nonce = '', created = 0 } = signedMessage.signature
  return { AccessKeyID: keyid, nonce, created, requestId: id }
}
