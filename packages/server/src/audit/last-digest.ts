import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SignedAuditDigest } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { readText, writePrivateFile } from '@wharf/platform/private-file.ts'
import { ChainStore } from './chain-store.ts'
import { type DigestSigningKey, readDigest, type SignedDigest } from './digest-signing-key.ts'
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
  #fault: string | undefined
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

  /** That the trail in the database was changed or replaced, and what to do. */
  get warning(): string | undefined {
    if (this.#fault === undefined) return undefined
    return `the audit trail in the database is not the one that was signed: ${this.#fault}. No entry is signed again. Verify an export against copied digests or a backup; if the database was restored or replaced on purpose, stop this node, delete ${this.#path} and start it`
  }

  /** Whether the database still ends with it. */
  isNewest(stored: SignedAuditDigest | undefined): boolean {
    return this.#isRead && stored?.document === this.#digest?.document && stored?.signature === this.#digest?.signature
  }

  /** After the commit of a digest. A crash in between is harmless: the next `follow` accepts the digest. */
  keep(digest: SignedDigest): void {
    const { document, signature } = digest
    const kept: Kept = { document, signature, fault: this.#fault }
    writePrivateFile(this.#path, `${JSON.stringify(kept, undefined, 2)}\n`)
    this.#digest = digest
  }

  /** Compares the database with what was signed, and accepts what other nodes have signed since. */
  async follow(from: Reader | Tx): Promise<void> {
    this.#read()
    if (this.#digest === undefined) await this.#adopt(from)
    if (this.#digest === undefined) return
    const kept = this.#digest
    const lost = await this.#findLoss(from, kept)
    const { digest, fork } = await this.#newestAfter(from, kept)
    const edited = await this.#findEdit(from, digest)
    const isReported = this.#report(lost ?? fork ?? edited)
    if (isReported || digest !== kept) this.keep(digest)
  }

  /** The first one stays; true when it is this one. */
  #report(fault: string | undefined): boolean {
    if (fault === undefined || this.#fault !== undefined) return false
    this.#fault = fault
    this.#deps.log.warn(this.warning)
    return true
  }

  #read(): void {
    if (!this.#isRead && existsSync(this.#path)) {
      const { digest, fault } = this.#parse(readText(this.#path, 'make it readable for this user'))
      this.#digest = digest
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
    const newest = await this.#chain.lastDigest(from)
    const digest = newest && this.#deps.signingKey.open(newest)
    if (digest !== undefined) this.keep(digest)
    else if (newest !== undefined) this.#report('its newest digest was signed with another key')
  }

  async #findLoss(from: Reader | Tx, kept: SignedDigest): Promise<string | undefined> {
    const stored = await this.#chain.findDigest(from, kept.lastSeq)
    if (stored?.document !== kept.document || stored.signature !== kept.signature)
      return `the digest of entries ${rangeOf(kept)} is missing or was changed`
    return this.#deps.signingKey.hasSigned(kept) ? undefined : 'the key that signs digests was replaced'
  }

  /** The last of the digests that continue this one. */
  async #newestAfter(from: Reader | Tx, kept: SignedDigest): Promise<{ digest: SignedDigest; fork?: string }> {
    let digest = kept
    for (;;) {
      const rows = await this.#chain.listDigests(from, digest.lastSeq, readAtOnce)
      for (const row of rows) {
        const next = this.#deps.signingKey.open(row)
        if (next?.previousSignature !== digest.signature || next.firstSeq !== digest.lastSeq + 1)
          return { digest, fork: `the digest of entries ${rangeOf(row)} does not continue that of ${rangeOf(digest)}` }
        digest = next
      }
      if (rows.length < readAtOnce) return { digest }
    }
  }

  /** Of the newest one only: its entry cannot have expired, and the hash of an entry depends on all before it. */
  async #findEdit(from: Reader | Tx, { lastSeq, head }: SignedDigest): Promise<string | undefined> {
    const hash = await this.#entries.hashOf(from, lastSeq)
    return hash === head ? undefined : `entry ${lastSeq} ${hash === undefined ? 'is missing' : 'has another hash'}`
  }
}

const rangeOf = ({ firstSeq, lastSeq }: Pick<SignedDigest, 'firstSeq' | 'lastSeq'>): string =>
  `${firstSeq} to ${lastSeq}`
