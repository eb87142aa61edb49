import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate for this machine's loopback that vouches for itself, and its key, as files in this folder. */
export function makeCertificate(folder: string, name = 'tls'): { cert: string; key: string } {
  mkdirSync(folder, { recursive: true })
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { cert, key }
}
