import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { UsageError } from '../refusals.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a PEM file, each checked: a wrong file is an error before anything is sent. */
export function readCertificates(path: string): string[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`the CA file ${path} cannot be read: ${(error as Error).message}`)
  }
  const certificates = text.match(block) ?? []
  if (certificates.length === 0)
    throw new UsageError(`the CA file ${path} contains no certificate`, 'it must be PEM: -----BEGIN CERTIFICATE-----')
  // loaded when it is needed: every command reads this file
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
  'the authority that signed its certificate is not trusted here: --ca-file FILE names it (PEM), --insecure skips the check'

/** What to do about a certificate that was refused, by the code of the failure. */
export const certificateRemedies: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it on the server',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: set the clock of this machine, or of the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: use that name in the address',
}
