import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Pair {
  readonly cert: string
  readonly key: string
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

const settings = `
[ca]
default_ca = here
[here]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
`

/** A certificate authority for tests, which also issues expired certificates. */
export class TestAuthority {
  /** Its root in PEM form. */
  readonly caFile: string
  readonly #folder: string

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.caFile = join(folder, 'root.crt')
    writeFileSync(join(folder, 'settings.cnf'), settings)
    writeFileSync(join(folder, 'index.txt'), '')
    writeFileSync(join(folder, 'serial'), '01\n')
    this.#openssl(
      'req',
      '-x509',
      ...curve,
      '-days',
      '2',
      '-subj',
      '/CN=root',
      '-keyout',
      'root.key',
      '-out',
      'root.crt',
    )
  }

  /** `names` as in `DNS:good.test,IP:127.0.0.2`; times as in `20200101000000Z`. */
  issue(name: string, names: string, times: { from?: string; to?: string } = {}): Pair {
    const { from = '20200101000000Z', to = '20990101000000Z' } = times
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`]
    this.#openssl('req', ...curve, ...subject, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const signer = ['-config', 'settings.cnf', '-cert', 'root.crt', '-keyfile', 'root.key', '-batch', '-notext']
    this.#openssl('ca', ...signer, '-startdate', from, '-enddate', to, '-in', `${name}.csr`, '-out', `${name}.crt`)
    return this.#read(name)
  }

  selfSigned(name: string, names: string): Pair {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`]
    this.#openssl('req', '-x509', ...curve, ...subject, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.crt`)
    return this.#read(name)
  }

  #read(name: string): Pair {
    const read = (ending: string): string => readFileSync(join(this.#folder, `${name}.${ending}`), 'utf8')
    return { cert: read('crt'), key: read('key') }
  }

  #openssl(...words: string[]): void {
    execFileSync('openssl', words, { cwd: this.#folder, stdio: 'pipe' })
  }
}
