import { auditDigestDocument } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { readSetting, writeSetting } from '@wharf/database/stored-settings.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { type ChainRow, ChainStore, type DigestRow } from './chain-store.ts'
import type { DigestSigningKey } from './digest-signing-key.ts'
import { EntryStore } from './entry-store.ts'

export interface DigestLimits {
  /** A digest covers the entries of at most this time … */
  readonly digestMs: number
  /** … and at most so many. */
  readonly digestEntries: number
}

/** A place outside the database that also gets the digests. */
export interface DigestTarget {
  /** Of the setting. */
  readonly name: string
  /** Stores a file; one that exists is not an error. */
  write(fileName: string, text: string): Promise<void>
}

export interface DigestsDeps extends DigestLimits {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly signingKey: DigestSigningKey
  readonly target: DigestTarget | undefined
}

/** Digests that could not be written to the target are retried after this. */
const retryMs = 60_000
const writtenAtOnce = 100
/** Numbers of equal length, so that a listing of the files is in their order. */
const digits = 12

/** The lease on the chain; undefined while another node has it. */
type LeaseChain = (tx: Tx) => Promise<ChainRow | undefined>

/** Signs what the chain contains, so that nobody without the key can rewrite or shorten it unnoticed. */
export class Digests {
  readonly #deps: DigestsDeps
  readonly #entries: EntryStore
  readonly #chain: ChainStore
  #retryAt = 0
  #targetFailure: string | undefined

  constructor(deps: DigestsDeps) {
    this.#deps = deps
    this.#entries = new EntryStore(deps.database)
    this.#chain = new ChainStore(deps.database)
  }

  /** Why the target lacks digests, by the last attempt of this node. */
  get targetFailure(): string | undefined {
    return this.#targetFailure
  }

  async run(lease: LeaseChain): Promise<void> {
    let hasSigned = false
    while (await this.#isDue()) {
      if (!(await this.#deps.database.transaction((tx) => this.#sign(tx, lease)))) return
      hasSigned = true
    }
    if (hasSigned || performance.now() >= this.#retryAt) await this.#writeToTarget(lease)
  }

  async #isDue(): Promise<boolean> {
    const { database, clock, digestMs, digestEntries } = this.#deps
    const last = await this.#chain.lastDigest(database.read)
    const from = (last?.lastSeq ?? 0) + 1
    const count = (await this.#chain.lastSeq()) - from + 1
    if (count <= 0) return false
    // the first is signed at once, so that the trail of a new server can be verified
    return last === undefined || count >= digestEntries || clock.now() - last.createDate >= digestMs
  }

  async #sign(tx: Tx, lease: LeaseChain): Promise<boolean> {
    const { clock, signingKey, digestEntries } = this.#deps
    const chain = await lease(tx)
    if (chain === undefined) return false
    const last = await this.#chain.lastDigest(tx)
    const firstSeq = (last?.lastSeq ?? 0) + 1
    const lastSeq = Math.min(chain.lastSeq, firstSeq + digestEntries - 1)
    const head = lastSeq === chain.lastSeq ? chain.lastHash : await this.#entries.hashOf(tx, lastSeq)
    if (head === undefined || lastSeq < firstSeq) return false
    const createDate = clock.now()
    const statement = { firstSeq, lastSeq, count: lastSeq - firstSeq + 1, head }
    const previousSignature = last?.signature ?? null
    const document = auditDigestDocument({
      ...statement,
      previousSignature,
      createDate: new Date(createDate).toISOString(),
    })
    const signature = signingKey.sign(document)
    await this.#chain.insertDigest(tx, {
      uuid: newUuid(),
      ...statement,
      previousSignature,
      document,
      signature,
      createDate,
    })
    return true
  }

  /** By the node with the lease, in order; the setting has the last one that was written. */
  async #writeToTarget(lease: LeaseChain): Promise<void> {
    const { database, target, log } = this.#deps
    this.#retryAt = performance.now() + retryMs
    if (target === undefined || (await database.transaction(lease)) === undefined) {
      this.#targetFailure = undefined
      return
    }
    const setting = `auditDigestsWritten:${target.name}`
    try {
      for (;;) {
        const written = Number((await readSetting(database.read, setting)) ?? 0)
        const digests = await this.#chain.listDigests(written, writtenAtOnce)
        for (const digest of digests) {
          await target.write(fileName(digest), fileText(digest, this.#deps.signingKey.publicKey))
          await database.transaction((tx) => writeSetting(tx, setting, String(digest.lastSeq)))
        }
        this.#targetFailure = undefined
        if (digests.length < writtenAtOnce) return
      }
    } catch (error) {
      const failure = `audit digests cannot be written to ${target.name}`
      this.#targetFailure = `${failure}: ${reasonOf(error)}; it is retried every minute`
      log.warn({ err: error }, `${failure}; it is retried every minute`)
    }
  }
}

const fileName = ({ firstSeq, lastSeq }: DigestRow): string =>
  `audit-digest-${String(firstSeq).padStart(digits, '0')}-${String(lastSeq).padStart(digits, '0')}.json`

/** All that a verifier needs besides the entries; a reader compares the key with the one that it knows. */
const fileText = ({ document, signature }: DigestRow, publicKey: string): string =>
  `${JSON.stringify({ document, signature, publicKey }, undefined, 2)}\n`
