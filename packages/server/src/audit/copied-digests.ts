import type { Database } from '@wharf/database/database.ts'
import { readSetting, writeSetting } from '@wharf/database/stored-settings.ts'
import type { Log } from '@wharf/platform/log.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { ChainStore, type DigestRow, type LeaseChain } from './chain-store.ts'
import type { DigestSigningKey } from './digest-signing-key.ts'

/** A place outside the database that also gets the digests. */
export interface DigestTarget {
  /** Of the setting. */
  readonly name: string
  /** Throws when nothing can be written to it. */
  check(): Promise<void>
  /** Stores a file. One that exists with this text is not an error; with another text it is, and it stays. */
  write(fileName: string, text: string): Promise<void>
}

export interface CopiedDigestsDeps {
  readonly database: Database
  readonly log: Log
  readonly signingKey: DigestSigningKey
  readonly target: DigestTarget | undefined
}

const retryMs = 60_000
/** Others follow in the next run, so that a stopping node need not wait for them. */
const writtenAtOnce = 100
/** Numbers of equal length, so that a listing of the files is in their order. */
const digits = 12

/** Copies digests to the target, in their order, by the node with the lease. */
export class CopiedDigests {
  readonly #deps: CopiedDigestsDeps
  readonly #chain: ChainStore
  #retryAt = 0
  #failure: string | undefined

  constructor(deps: CopiedDigestsDeps) {
    this.#deps = deps
    this.#chain = new ChainStore(deps.database)
  }

  /** Why the target lacks digests or cannot get them, by the last attempt of this node. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Every node checks the target, since each may have to write to it. */
  async run(lease: LeaseChain, hasSigned: boolean): Promise<void> {
    const { target, database, log } = this.#deps
    if (target === undefined || (!hasSigned && performance.now() < this.#retryAt)) return
    this.#retryAt = performance.now() + retryMs
    try {
      await target.check()
      if ((await database.transaction(lease)) !== undefined) await this.#write(target)
      this.#failure = undefined
    } catch (error) {
      const failure = `audit digests cannot be written to ${target.name}`
      this.#failure = `${failure}: ${reasonOf(error)}; it is retried every minute`
      log.warn({ err: error }, `${failure}; it is retried every minute`)
    }
  }

  async #write(target: DigestTarget): Promise<void> {
    const { database, signingKey } = this.#deps
    const written = await this.#lastWritten(target)
    const digests = await this.#chain.listDigests(database.read, written, writtenAtOnce)
    for (const digest of digests) {
      await target.write(fileName(digest), fileText(digest, signingKey.publicKey))
      const document = progressOf(target, digest.lastSeq)
      const progress = `${digest.lastSeq} ${signingKey.sign(document)}`
      await database.transaction((tx) => writeSetting(tx, settingOf(target), progress))
    }
    if (digests.length === writtenAtOnce) this.#retryAt = 0
  }

  /** Signed, so that nobody can have digests skipped by editing it; without it, all files are compared again. */
  async #lastWritten(target: DigestTarget): Promise<number> {
    const { database, signingKey } = this.#deps
    const stored = (await readSetting(database.read, settingOf(target))) ?? ''
    const [lastSeq = '', signature = ''] = stored.split(' ')
    return signingKey.hasSigned({ document: progressOf(target, Number(lastSeq)), signature }) ? Number(lastSeq) : 0
  }
}

const settingOf = ({ name }: DigestTarget): string => `auditDigestsWritten:${name}`

const progressOf = ({ name }: DigestTarget, lastSeq: number): string =>
  `digests up to ${lastSeq} are written to ${name}`

const fileName = ({ firstSeq, lastSeq }: DigestRow): string =>
  `audit-digest-${String(firstSeq).padStart(digits, '0')}-${String(lastSeq).padStart(digits, '0')}.json`

/** All that a verifier needs besides the entries; a reader compares the key with the one that it knows. */
const fileText = ({ document, signature }: DigestRow, publicKey: string): string =>
  `${JSON.stringify({ document, signature, publicKey }, undefined, 2)}\n`
