import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A self-signed certificate for loopback, and its key, as files in this folder. */
export function makeCertificate(folder: string, name = 'tls'): { cert: string; key: string } {
  mkdirSync(folder, { recursive: true })
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { cert, key }
}

/** A certificate for this machine's loopback, its key, and the private authority that signed it. */
export function makeSignedCertificate(folder: string): { ca: string; cert: string; key: string } {
  const authority = makeCertificate(folder, 'authority')
  const [cert, key, request] = ['server.crt', 'server.key', 'server.csr'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const openssl = (...argv: string[]): Buffer => execFileSync('openssl', argv, { stdio: 'pipe' })
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  openssl(
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=server',
    ...names,
    '-keyout',
    key,
    '-out',
    request,
  )
  openssl(
    'x509',
    '-req',
    '-in',
    request,
    '-CA',
    authority.cert,
    '-CAkey',
    authority.key,
    '-CAcreateserial',
    '-days',
    '2',
    '-copy_extensions',
    'copy',
    '-out',
    cert,
  )
  return { ca: authority.cert, cert, key }
}
