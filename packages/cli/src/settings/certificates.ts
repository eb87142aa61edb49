import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { UsageError } from '../errors.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads and parses the certificates of a PEM file, so that a wrong file fails before anything is sent. */
export function readCertificates(path: string): string[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read the CA file ${path}: ${(error as Error).message}`)
  }
  const certificates = text.match(block) ?? []
  if (certificates.length === 0)
    throw new UsageError(
      `the CA file ${path} contains no certificate`,
      'use a PEM file with -----BEGIN CERTIFICATE-----',
    )
  // loaded on demand: every command loads this module
  const { X509Certificate } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (error) {
      throw new UsageError(`certificate ${index + 1} of the CA file ${path} is damaged: ${(error as Error).message}`)
    }
  }
  return certificates
}

const untrusted =
  'the certificate authority of the server is not trusted: pass --ca-file FILE (PEM), or skip the check with --insecure'

/** Remedies for certificate errors by their code. */
export const certificateRemedies: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: 'the certificate of the server has expired: renew it',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet: set the clock of this machine or of the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server has another name: use that name in the address',
}
