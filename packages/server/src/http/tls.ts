import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { OperatorError } from '@wharf/platform/operator-error.ts'

interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Reads a matching pair that TLS accepts; otherwise throws one line that names the file. */
export function readCertificate(files: CertificateFiles): Certificate {
  const pair = { cert: readFile(files.cert, 'TLS certificate'), key: readFile(files.key, 'TLS key') }
  // createSecureContext accepts an RSA certificate with an elliptic key, and every handshake fails later
  if (!leafOf(pair.cert, files.cert).checkPrivateKey(privateKeyOf(pair.key, files.key)))
    throw new OperatorError(`the TLS key ${files.key} does not belong to the certificate ${files.cert}`)
  try {
    createSecureContext(pair)
  } catch (cause) {
    throw new OperatorError(`the TLS certificate ${files.cert} cannot be used: ${reason(cause)}`, { cause })
  }
  return pair
}

/**
 * Applies a renewed certificate to new connections; open ones continue.
 * Polls the files, because renewals rename files (certbot) or swap links (Kubernetes), and a
 * watch would stay on the old file. A mismatched pair is never used.
 */
export function watchCertificate(
  server: { setSecureContext(pair: Certificate): void },
  files: CertificateFiles,
  onError: (error: Error) => void,
  intervalMs = 1000,
): { stop(): void } {
  let seen: string | undefined
  let state: 'settled' | 'failed once' = 'settled'
  const check = (): void => {
    const now = `${identity(files.cert)} ${identity(files.key)}`
    if (now === seen && state === 'settled') return
    // certificate and key are replaced one after the other: a mismatch is checked again before it is an error
    const isSecondCheck = now === seen
    seen = now
    state = 'settled'
    try {
      server.setSecureContext(readCertificate(files))
    } catch (error) {
      if (isSecondCheck) onError(error as Error)
      else state = 'failed once'
    }
  }
  const timer = setInterval(check, intervalMs).unref()
  return { stop: () => clearInterval(timer) }
}

/** Changes with the file or its content. */
function identity(file: string): string {
  try {
    const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true })
    return `${dev}:${ino}:${size}:${mtimeNs}`
  } catch (error) {
    return reason(error)
  }
}

function readFile(file: string, what: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new OperatorError(`cannot read the ${what} ${file}: ${reason(cause)}`, { cause })
  }
}

function leafOf(pem: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new OperatorError(`the TLS certificate ${file} does not begin with a certificate in PEM form`, { cause })
  }
}

function privateKeyOf(pem: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const rule = pem.includes('ENCRYPTED') ? 'is encrypted; use an unencrypted key' : 'is not a private key in PEM form'
    throw new OperatorError(`the TLS key ${file} ${rule}`, { cause })
  }
}

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
