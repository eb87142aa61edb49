import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'

interface Kept {
  readonly identity: string
  readonly context: SecureContext
}

/** Hundreds of roots take tens of milliseconds to load, so they are loaded again only when the file has changed. */
const kept = new Map<string, Kept>()

/** Trusts the usual roots and those in the file (WHARF_CA_FILE). */
export function trustWith(caFile: string): SecureContext {
  try {
    const { dev, ino, size, mtimeNs } = statSync(caFile, { bigint: true })
    const identity = `${dev}:${ino}:${size}:${mtimeNs}`
    const known = kept.get(caFile)
    if (known?.identity === identity) return known.context
    const context = createSecureContext({ ca: [...getCACertificates('default'), ...certificatesIn(caFile)] })
    kept.set(caFile, { identity, context })
    return context
  } catch (cause) {
    throw new ApiError('SYS.1016', `cannot use the certificates in ${caFile} (WHARF_CA_FILE): ${reasonOf(cause)}`, {
      cause,
    })
  }
}

/** TLS would ignore an invalid certificate, and a file without any. */
function certificatesIn(file: string): string[] {
  const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  if (blocks.length === 0) throw new Error('it contains no certificate in PEM form')
  return blocks.map((block) => new X509Certificate(block).toString())
}
