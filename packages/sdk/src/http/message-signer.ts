import {
  coveredComponents,
  formatContentDigest,
  formatSignatureInput,
  type SignatureAlgorithm,
  signatureBase,
} from '@wharf/contract'
import { randomHex } from '../hex.ts'

/** Signs texts with an access key. */
export interface Signer {
  readonly alg: SignatureAlgorithm
  /** In Base64. */
  sign(text: string): Promise<string>
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

export function secretSigner(secret: string): Signer {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  let imported: Promise<Parameters<typeof crypto.subtle.sign>[1]> | undefined
  return {
    alg: 'hmac-sha256',
    async sign(text) {
      imported ??= crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign'])
      return toBase64(await crypto.subtle.sign('HMAC', await imported, bytesOf(text)))
    },
  }
}

/** With a private key in PEM (PKCS #8), as openssl genpkey writes it. */
export function privateKeySigner(pem: string): Signer {
  const [, encoded] = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem) ?? []
  if (encoded === undefined) throw new TypeError('accessKey.privateKey must be an Ed25519 private key in PEM (PKCS #8)')
  const der = Uint8Array.from(atob(encoded.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
  let imported: Promise<Parameters<typeof crypto.subtle.sign>[1]> | undefined
  return {
    alg: 'ed25519',
    async sign(text) {
      imported ??= crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign'])
      return toBase64(await crypto.subtle.sign('Ed25519', await imported, bytesOf(text)))
    },
  }
}

interface Message {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly body?: string | undefined
  /** Milliseconds. */
  readonly now: number
}

/** The headers that sign a message by RFC 9421. */
export async function signMessage(
  keyid: string,
  signer: Signer,
  { method, path, query, body, now }: Message,
): Promise<Record<string, string>> {
  const digest: Record<string, string> = body === undefined ? {} : { 'content-digest': await contentDigest(body) }
  const covered: Record<string, string> = { '@method': method, '@path': path, '@query': query || '?', ...digest }
  const components = coveredComponents(body !== undefined)
  const parameters = { created: Math.floor(now / 1000), keyid, alg: signer.alg, nonce: randomHex() }
  const input = formatSignatureInput(components, parameters)
  const base = signatureBase(components, input, (component) => covered[component]) ?? ''
  return { ...digest, 'signature-input': `wharf=${input}`, signature: `wharf=:${await signer.sign(base)}:` }
}

async function contentDigest(body: string): Promise<string> {
  const digest = toBase64(await crypto.subtle.digest('SHA-256', bytesOf(body)))
  return formatContentDigest({ algorithm: 'sha-256', digest })
}
