import type { Database } from '@wharf/database/database.ts'
import { readSetting, writeSetting } from '@wharf/database/stored-settings.ts'
import { waitAtMost } from '@wharf/platform/abort.ts'
import type { Log } from '@wharf/platform/log.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { ChainStore, type LeaseChain } from './chain-store.ts'
import { type DigestSigningKey, findRowFault, type SignedDigest } from './digest-signing-key.ts'

/** A place outside the database that also gets the digests. */
export interface DigestTarget {
  /** Of the setting. */
  readonly name: string
  /** Throws when nothing can be written to it. */
  check(): Promise<void>
  /** Stores a file, unless it exists; false when it exists with another text. */
  write(fileName: string, text: string): Promise<boolean>
}

export interface CopiedDigestsDeps {
  readonly database: Database
  readonly log: Log
  readonly signingKey: DigestSigningKey
  readonly target: DigestTarget | undefined
}

const retryMs = 60_000
/** Signing continues after this time when the target hangs. */
const answerMs = 10_000
/** Others follow in the next run, so that a stopping node need not wait for them. */
const writtenAtOnce = 100
/** Numbers of equal length, so that a listing of the files is in their order. */
const digits = 12

/** Copies digests to the target, in their order, by the node with the lease. */
export class CopiedDigests {
  readonly #deps: CopiedDigestsDeps
  readonly #chain: ChainStore
  readonly #copying = new SingleFlight()
  /** The last entry of the digests that are written or refused. */
  #position: number | undefined
  /** Those whose files exist with another digest. */
  readonly #refused = new Set<SignedDigest>()
  #savedProgress: number | undefined
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
    const { target } = this.#deps
    const isRetry = performance.now() >= this.#retryAt
    const isRunning = this.#copying.running !== undefined
    if (target === undefined || (!isRetry && (isRunning || !hasSigned))) return
    this.#retryAt = performance.now() + retryMs
    if (isRunning) {
      this.#fail(target, new OperatorError('the last attempt has not ended for a minute'))
      return
    }
    await waitAtMost(
      answerMs,
      this.#copying.run(() => this.#copy(target, lease)),
    )
  }

  async #copy(target: DigestTarget, lease: LeaseChain): Promise<void> {
    try {
      await target.check()
      if ((await this.#deps.database.transaction(lease)) !== undefined) await this.#write(target)
      this.#failure = undefined
    } catch (error) {
      this.#fail(target, error)
    }
  }

  #fail(target: DigestTarget, error: unknown): void {
    const failure = `audit digests cannot be written to ${target.name}`
    this.#failure = `${failure}: ${reasonOf(error)}; it is retried every minute`
    this.#deps.log.warn({ err: error }, `${failure}; it is retried every minute`)
  }

  /** Throws the first fault after the others are written. */
  async #write(target: DigestTarget): Promise<void> {
    const { database, signingKey } = this.#deps
    this.#position ??= await this.#readProgress(target)
    for (const digest of [...this.#refused].slice(0, writtenAtOnce)) await this.#writeOne(target, digest)
    let fault: string | undefined
    let writtenCount = 0
    for (let after = this.#position; ; ) {
      const rows = await this.#chain.listDigests(database.read, after, writtenAtOnce)
      for (const row of rows) {
        after = row.lastSeq
        const digest = signingKey.open(row)
        const rowFault = findRowFault(row, digest)
        fault ??= rowFault
        if (digest === undefined) continue
        await this.#writeOne(target, digest)
        writtenCount++
        // an edited number must not skip others
        if (rowFault === undefined) this.#position = digest.lastSeq
        await this.#saveProgress(target, this.#position)
      }
      if (rows.length < writtenAtOnce) break
      if (writtenCount > 0) {
        this.#retryAt = 0
        break
      }
    }
    await this.#saveProgress(target, this.#position)
    const [refused] = this.#refused
    fault ??= refused && otherContent(refused)
    if (fault !== undefined) throw new OperatorError(fault)
  }

  async #writeOne(target: DigestTarget, digest: SignedDigest): Promise<void> {
    if (await target.write(fileName(digest), fileText(digest, this.#deps.signingKey.publicKey)))
      this.#refused.delete(digest)
    else this.#refused.add(digest)
  }

  /** Before the first one that was refused, so that it is written after a restart too. */
  async #saveProgress(target: DigestTarget, position: number): Promise<void> {
    const { database, signingKey } = this.#deps
    const progress = Math.min(position, ...[...this.#refused].map(({ firstSeq }) => firstSeq - 1))
    if (progress === this.#savedProgress) return
    const value = `${progress} ${signingKey.sign(progressOf(target, progress))}`
    await database.transaction((tx) => writeSetting(tx, settingOf(target), value))
    this.#savedProgress = progress
  }

  /** Signed, so that nobody can have digests skipped by editing it; without it, all files are compared again. */
  async #readProgress(target: DigestTarget): Promise<number> {
    const { database, signingKey } = this.#deps
    const stored = (await readSetting(database.read, settingOf(target))) ?? ''
    const [lastSeq = '', signature = ''] = stored.split(' ')
    return signingKey.hasSigned({ document: progressOf(target, Number(lastSeq)), signature }) ? Number(lastSeq) : 0
  }
}

/** Not that of older versions, which read a plain number. */
const settingOf = ({ name }: DigestTarget): string => `auditDigestsCopied:${name}`

const progressOf = ({ name }: DigestTarget, lastSeq: number): string =>
  `digests up to ${lastSeq} are written to ${name}`

const fileName = ({ firstSeq, lastSeq }: SignedDigest): string =>
  `audit-digest-${String(firstSeq).padStart(digits, '0')}-${String(lastSeq).padStart(digits, '0')}.json`

/** All that a verifier needs besides the entries; a reader compares the key with the one that it knows. */
const fileText = ({ document, signature }: SignedDigest, publicKey: string): string =>
  `${JSON.stringify({ document, signature, publicKey }, undefined, 2)}\n`

/** Of a trail that was lost when a backup was restored, or of a forged one: both are evidence, so it is not replaced. */
const otherContent = (digest: SignedDigest): string =>
  `${fileName(digest)} exists with another digest; find out why, then move it to another place and keep it`
