import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SignedAuditDigest } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import { readText, writePrivateFile } from '@wharf/platform/private-file.ts'
import { ChainStore, type DigestRow } from './chain-store.ts'
import { type DigestSigningKey, findRowFault, rangeOf, readDigest, type SignedDigest } from './digest-signing-key.ts'
import { EntryStore } from './entry-store.ts'

const lastDigestPath = (data: string): string => join(data, 'last-digest')

/** Before the first start on a database that was restored or created: its trail legitimately ends earlier. */
export const removeLastDigest = (data: string): void => rmSync(lastDigestPath(data), { force: true })

export interface LastDigestDeps {
  readonly database: Database
  readonly log: Log
  readonly signingKey: DigestSigningKey
  readonly settings: { readonly data: string }
}

/** The file: JSON in the form of a copied digest. */
interface Kept extends SignedAuditDigest {
  /** How the database differed from what was signed; kept until an operator deletes the file. */
  readonly fault?: string | undefined
}

const readAtOnce = 100

/**
 * The newest digest that this node has signed or accepted from another node, in a file of the data folder. Who can write to the
 * database, but not to this file, cannot make Wharf sign entries again: nothing up to this digest is.
 */
export class LastDigest {
  readonly #deps: LastDigestDeps
  readonly #path: string
  readonly #chain: ChainStore
  readonly #entries: EntryStore
  #digest: SignedDigest | undefined
  #lastSeq = 0
  #fault: string | undefined
  /** Why the file is older than the digest. */
  #writeFailure: string | undefined
  #isRead = false

  constructor(deps: LastDigestDeps) {
    this.#deps = deps
    this.#path = lastDigestPath(deps.settings.data)
    this.#chain = new ChainStore(deps.database)
    this.#entries = new EntryStore(deps.database)
  }

  get digest(): SignedDigest | undefined {
    return this.#digest
  }

  /** The last entry that is signed, also by digests that do not continue this one. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  get warnings(): string[] {
    return [this.#warning ?? [], this.#writeFailure ?? []].flat()
  }

  /** That the trail in the database was changed or replaced, and what to do. */
  get #warning(): string | undefined {
    if (this.#fault === undefined) return undefined
    return `the audit trail in the database is not the one that was signed: ${this.#fault}. No entry is signed again. Verify an export against copied digests or a backup; if the database was restored or replaced on purpose, stop this node, delete ${this.#path} and start it`
  }

  /** Whether the database still ends with it, and so does the file. */
  isNewest(stored: DigestRow | undefined): boolean {
    const digest = this.#digest
    return (
      this.#isRead &&
      this.#writeFailure === undefined &&
      stored?.document === digest?.document &&
      stored?.signature === digest?.signature &&
      stored?.firstSeq === digest?.firstSeq &&
      stored?.lastSeq === digest?.lastSeq
    )
  }

  /** After the commit of a digest. A crash in between is harmless: the next `follow` accepts the digest. */
  keep(digest: SignedDigest): void {
    const { document, signature } = digest
    const kept: Kept = { document, signature, fault: this.#fault }
    this.#digest = digest
    this.#lastSeq = Math.max(this.#lastSeq, digest.lastSeq)
    try {
      writePrivateFile(this.#path, `${JSON.stringify(kept, undefined, 2)}\n`)
      this.#writeFailure = undefined
    } catch (error) {
      const failure = `${this.#path} cannot be written: ${reasonOf(error)}; until it can, a restart of this node accepts newer digests as the database has them`
      if (failure !== this.#writeFailure) this.#deps.log.warn({ err: error }, failure)
      this.#writeFailure = failure
    }
  }

  /** The first fault stays until an operator deletes the file. */
  report(fault: string): void {
    if (this.#report(fault) && this.#digest !== undefined) this.keep(this.#digest)
  }

  /** Compares the database with what was signed, and accepts what other nodes have signed since. */
  async follow(from: Reader | Tx): Promise<void> {
    this.#read()
    if (this.#digest === undefined) await this.#adopt(from)
    if (this.#digest === undefined) return
    const kept = this.#digest
    const lost = await this.#findLoss(from, kept)
    const { digest, fault } = await this.#newestAfter(from, kept)
    const edited = await this.#findEdit(from, digest)
    const isReported = this.#report(lost ?? fault ?? edited)
    if (isReported || digest !== kept || this.#writeFailure !== undefined) this.keep(digest)
  }

  /** The first one stays; true when it is this one. */
  #report(fault: string | undefined): boolean {
    if (fault === undefined || this.#fault !== undefined) return false
    this.#fault = fault
    this.#deps.log.warn(this.#warning)
    return true
  }

  #read(): void {
    if (!this.#isRead && existsSync(this.#path)) {
      const { digest, fault } = this.#parse(readText(this.#path, 'make it readable for this user'))
      this.#digest = digest
      this.#lastSeq = digest.lastSeq
      this.#report(fault)
    }
    this.#isRead = true
  }

  #parse(text: string): { digest: SignedDigest; fault: string | undefined } {
    try {
      const kept = JSON.parse(text) as Kept
      return { digest: readDigest(kept), fault: kept.fault }
    } catch (cause) {
      throw new OperatorError(`${this.#path} is damaged: put back a copy, or delete it to accept the database`, {
        cause,
      })
    }
  }

  /** A node without the file knows only the database. */
  async #adopt(from: Reader | Tx): Promise<void> {
    const rows = await this.#chain.lastDigests(from, readAtOnce)
    const signed = rows.flatMap((row) => this.#deps.signingKey.open(row) ?? [])
    const [newest] = signed.toSorted((a, b) => b.lastSeq - a.lastSeq)
    if (newest !== undefined) this.keep(newest)
    else if (rows[0] !== undefined) {
      this.#report('its newest digests were not signed with the key of this trail')
      this.#lastSeq = rows[0].lastSeq
    }
  }

  async #findLoss(from: Reader | Tx, kept: SignedDigest): Promise<string | undefined> {
    const stored = await this.#chain.findDigest(from, kept.lastSeq)
    if (stored?.document !== kept.document || stored.signature !== kept.signature)
      return `the digest of entries ${rangeOf(kept)} is missing or was changed`
    return this.#deps.signingKey.hasSigned(kept) ? undefined : 'the key that signs digests was replaced'
  }

  /** The last of the digests that continue this one, and the first fault of those that do not. */
  async #newestAfter(
    from: Reader | Tx,
    kept: SignedDigest,
  ): Promise<{ digest: SignedDigest; fault: string | undefined }> {
    let digest = kept
    let fault: string | undefined
    for (let after = kept.lastSeq; ; ) {
      const rows = await this.#chain.listDigests(from, after, readAtOnce)
      for (const row of rows) {
        const next = this.#deps.signingKey.open(row)
        fault ??= findRowFault(row, next)
        if (next === undefined) continue
        this.#lastSeq = Math.max(this.#lastSeq, next.lastSeq)
        if (next.previousSignature === digest.signature && next.firstSeq === digest.lastSeq + 1) digest = next
        else fault ??= `the digest of entries ${rangeOf(next)} does not continue that of ${rangeOf(digest)}`
      }
      after = rows.at(-1)?.lastSeq ?? after
      if (rows.length < readAtOnce) return { digest, fault }
    }
  }

  /** Of the newest one only: its entry cannot have expired, and the hash of an entry depends on all before it. */
  async #findEdit(from: Reader | Tx, { lastSeq, head }: SignedDigest): Promise<string | undefined> {
    const hash = await this.#entries.hashOf(from, lastSeq)
    return hash === head ? undefined : `entry ${lastSeq} ${hash === undefined ? 'is missing' : 'has another hash'}`
  }
}
