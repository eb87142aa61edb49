import type { Wharf } from '@wharf/sdk'
import type { Io } from './io.ts'
import { drawsUnicode, languageOf } from './language.ts'
import { type Colours, coloursFor } from './output/colours.ts'
import { type Form, Output } from './output/output.ts'
import { printable, printableLines } from './output/printable.ts'
import type { Progress } from './output/progress.ts'
import { noProgress, progressOn } from './output/progress-on.ts'
import { NotSignedIn, UsageError } from './refusals.ts'
import { readCertificates } from './settings/certificates.ts'
import { type Connection, type ConnectionFlags, findConnection, storedCaFile } from './settings/connection.ts'
import type { StoredCredential } from './settings/profiles.ts'

export interface GlobalFlags extends ConnectionFlags {
  readonly output?: Form | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** What a command has at hand. */
export class Cli {
  readonly io: Io
  readonly flags: GlobalFlags
  readonly out: Output
  /** For what is said on standard error. */
  readonly colours: Colours
  readonly language: 'en' | 'zh'
  #connection: Connection | undefined
  #wharf: Promise<Wharf> | undefined
  #trusts = false

  constructor(io: Io, flags: GlobalFlags) {
    this.io = io
    this.flags = flags
    this.out = new Output(io.stdout, flags.json ? 'json' : (flags.output ?? 'table'), coloursFor(io.stdout, io.env))
    this.colours = coloursFor(io.stderr, io.env)
    this.language = languageOf(io.env)
  }

  get connection(): Connection {
    this.#connection ??= findConnection(this.io, this.flags)
    return this.#connection
  }

  /** The server, as whoever is signed in. */
  wharf(): Promise<Wharf> {
    const { connection } = this
    if (connection.credentialFrom === undefined) throw notSignedIn(connection)
    this.#wharf ??= this.connect(connection.url, connection.credential)
    return this.#wharf
  }

  /** Without a credential when none is given. */
  async connect(url: string, credential: StoredCredential = {}): Promise<Wharf> {
    this.trust(url)
    // the SDK takes the most time of a start: it is loaded when it is needed
    const { Wharf } = await import('@wharf/sdk')
    const { accessKeyId: id, accessKeySecret: secret, session } = credential
    const proof =
      id !== undefined && secret !== undefined
        ? { accessKey: { id, secret } }
        : session === undefined
          ? {}
          : { session }
    try {
      return new Wharf({ url, ...proof, retry: patience })
    } catch (error) {
      // an address that is none
      throw new UsageError((error as Error).message)
    }
  }

  /** Before the first connection to a server: sets which certificates are accepted. */
  trust(url: string): void {
    const { caFile = storedCaFile(this.io, url), insecure } = this.flags
    if (this.#trusts) return
    this.#trusts = true
    if (caFile !== undefined) this.io.trustCertificates(readCertificates(caFile))
    if (!insecure) return
    this.io.skipCertificateChecks()
    const warning = `the certificate of ${url} is not checked (--insecure): anybody on the network path can read and change what is sent`
    this.io.stderr.write(`${this.colours.yellow('warning:')} ${printable(warning)}\n`)
  }

  /** Said beside the data; not to those who asked for quiet. */
  say(text: string): void {
    if (!this.flags.quiet) this.io.stderr.write(`${printableLines(text)}\n`)
  }

  progress(label: string): Progress {
    const { stderr, env } = this.io
    if (this.flags.quiet) return { ...noProgress(stderr), say: () => {} }
    return progressOn(stderr, { label: printable(label), unicode: drawsUnicode(env), now: () => performance.now() })
  }
}

/** Whoever types a command wants to know soon: fewer tries than a program makes. */
const patience = { tries: 4, maxMs: 15_000 }

function notSignedIn({ url, unusedBootstrap }: Connection): NotSignedIn {
  const local =
    unusedBootstrap === undefined ? '' : `, or use the admin key of this machine: --credentials ${unusedBootstrap}`
  return new NotSignedIn(`you are not signed in at ${url}`, `sign in: wharf login --url ${url}${local}`)
}
