import type { Wharf } from '@wharf/sdk'
import { NotSignedInError, UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { languageOf, supportsUnicode } from './language.ts'
import { type Colours, coloursFor } from './output/colours.ts'
import { createProgress, noProgress } from './output/create-progress.ts'
import { type Format, tableFormat } from './output/format.ts'
import { Output } from './output/output.ts'
import { printable, printableLines } from './output/printable.ts'
import type { Progress } from './output/progress.ts'
import { accessKeyOf } from './settings/access-key.ts'
import { readCertificates } from './settings/certificates.ts'
import { type Connection, type ConnectionFlags, findConnection, storedCaFile } from './settings/connection.ts'
import type { StoredCredential } from './settings/profiles.ts'
import { userAgent } from './version.ts'

export interface GlobalFlags extends ConnectionFlags {
  readonly output?: string | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** The context of a command: options, output and the connection to the server. */
export class Cli {
  readonly io: Io
  readonly flags: GlobalFlags
  readonly out: Output
  /** The colours of stderr. */
  readonly colours: Colours
  readonly language: 'en' | 'zh'
  #connection: Connection | undefined
  #wharf: Promise<Wharf> | undefined
  #hasSetTrust = false

  constructor(io: Io, flags: GlobalFlags, format: Format = tableFormat) {
    this.io = io
    this.flags = flags
    this.out = new Output(io.stdout, format, coloursFor(io.stdout, io.env))
    this.colours = coloursFor(io.stderr, io.env)
    this.language = languageOf(io.env)
  }

  get connection(): Connection {
    this.#connection ??= findConnection(this.io, this.flags)
    return this.#connection
  }

  /** The client of the selected server and credential. */
  wharf(): Promise<Wharf> {
    const { connection } = this
    if (connection.credentialFrom === undefined) throw notSignedInError(connection)
    this.#wharf ??= this.connect(connection.url, connection.credential)
    return this.#wharf
  }

  /** Connects anonymously when no credential is given. */
  async connect(url: string, credential: StoredCredential = {}): Promise<Wharf> {
    this.trust(url)
    // loaded on demand: the SDK dominates the start time
    const { Wharf } = await import('@wharf/sdk')
    const { session } = credential
    const accessKey = accessKeyOf(credential)
    const authentication = accessKey !== undefined ? { accessKey } : session === undefined ? {} : { session }
    try {
      return new Wharf({ url, ...authentication, retry, userAgent, usesNodeHttp: true })
    } catch (error) {
      // an invalid address
      throw new UsageError((error as Error).message)
    }
  }

  /** Sets the accepted certificates before the first connection. */
  trust(url: string): void {
    const { caFile = storedCaFile(this.io, url), insecure } = this.flags
    if (this.#hasSetTrust) return
    this.#hasSetTrust = true
    if (caFile !== undefined) this.io.trustCertificates(readCertificates(caFile))
    if (!insecure) return
    this.io.skipCertificateChecks()
    const warning = `the certificate of ${url} is not verified (--insecure): others on the network path can read and change the traffic`
    this.io.stderr.write(`${this.colours.yellow('warning:')} ${printable(warning)}\n`)
  }

  /** Prints a message to stderr, except with --quiet. */
  info(text: string): void {
    if (!this.flags.quiet) this.io.stderr.write(`${printableLines(text)}\n`)
  }

  /** Prints the message to stderr, and in forms for programs also the data to stdout. */
  report(message: string, data: object): void {
    this.info(message)
    if (!this.out.isTable) this.out.record(data)
  }

  progress(label: string): Progress {
    const { stderr, env } = this.io
    if (this.flags.quiet) return noProgress
    return createProgress(stderr, {
      label: printable(label),
      unicode: supportsUnicode(env),
      now: () => performance.now(),
    })
  }
}

/** Fewer attempts than the SDK's default, because a user waits. */
const retry = { tries: 4, maxMs: 15_000 }

function notSignedInError({ url, unusedBootstrap }: Connection): NotSignedInError {
  const local = unusedBootstrap === undefined ? '' : `, or use the local admin key: --credentials ${unusedBootstrap}`
  return new NotSignedInError(`not signed in at ${url}`, `sign in: wharf login --url ${url}${local}`)
}
