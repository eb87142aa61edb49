import type { IncomingHttpHeaders } from 'node:http'
import { type MessageSignature, signatureBase } from '@wharf/contract'
import type { VerificationKey } from './verification-key.ts'

/** A call with a signature by RFC 9421. */
export interface SignedMessage {
  readonly method: string
  /** The path as it arrived. */
  readonly path: string
  /** The same path as clients may have sent it to a proxy that changed the prefix. */
  otherPaths(): readonly string[]
  /** With its question mark, also when there is no query. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly signature: MessageSignature
}

export function isSignedBy(key: VerificationKey, message: SignedMessage): boolean {
  return isSignedFor(key, message, message.path) || message.otherPaths().some((path) => isSignedFor(key, message, path))
}

function isSignedFor(key: VerificationKey, message: SignedMessage, path: string): boolean {
  const { components, input, signature } = message.signature
  const base = signatureBase(components, input, (component) => valueFor(message, path, component))
  return base !== undefined && key.verifies(base, signature)
}

function valueFor({ method, query, headers }: SignedMessage, path: string, component: string): string | undefined {
  switch (component) {
    case '@method':
      return method
    case '@path':
      return path
    case '@query':
      return query
    case '@authority':
      return headers.host?.toLowerCase()
    default: {
      const value = component.startsWith('@') ? undefined : headers[component]
      return Array.isArray(value) ? value.map((one) => one.trim()).join(', ') : value?.trim()
    }
  }
}
