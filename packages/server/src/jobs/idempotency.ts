import { activeJobStates } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey, deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { type UserLimits, userLimits } from '@wharf/platform/user-limits.ts'
import { type Selectable, sql } from 'kysely'

type KeyRow = Selectable<Tables['idempotencyKeys']>

export interface RepeatableCall {
  key: string
  caller: { accountUuid: string; userUuid: string }
  fingerprint: string
}

/** What jobs need of the accounts, whose resource is above this layer. */
interface Accounts {
  findOnlyUser(accountUuid: string): Promise<string | undefined>
}

/** The result of the first call with a key. */
export type StoredResult = { jobUuid: string } | { answer: object }

const keepMs = 24 * 3_600_000

interface IdempotencyDeps {
  readonly database: Database
  readonly sealing: Sealing
  readonly clock: Clock
  readonly accounts: Accounts
  readonly userLimits?: Pick<UserLimits, 'idempotencyKeysPerDay'>
}

/** A call that is repeated with the same key happens once, and gets the same answer again. */
export class Idempotency {
  readonly #deps: IdempotencyDeps
  readonly #keysPerDay: number
  /** New keys by user, since `#usedSince`. */
  readonly #used = new Map<string, number>()
  #usedSince = 0

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps
    this.#keysPerDay = (deps.userLimits ?? userLimits).idempotencyKeysPerDay
  }

  /** Keyed, because a body may contain a password, which could be guessed from a plain hash. */
  fingerprint(method: string, url: string, body: unknown): string {
    return this.#deps.sealing.token('idempotency', `${method}\n${url}\n${JSON.stringify(body) ?? ''}`)
  }

  async find(call: RepeatableCall): Promise<StoredResult | undefined> {
    const row = await this.#deps.database.read
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('key', '=', call.key)
      .executeTakeFirst()
    if (row === undefined || this.#hasExpired(row)) return undefined
    if ((row.userUuid ?? (await this.#userOf(row))) !== call.caller.userUuid)
      throw new ApiError('JOB.1002', 'this idempotency key is not available')
    if (row.fingerprint !== call.fingerprint)
      throw new ApiError('JOB.1002', 'this idempotency key was used for another request; take a new key')
    if (row.jobUuid !== null) return { jobUuid: row.jobUuid }
    if (row.sealedAnswer === null) return undefined
    return { answer: JSON.parse(this.#deps.sealing.open(row.sealedAnswer, sealContext(call.key))) }
  }

  /** Keys are stored for a day, so their number per user and day is bounded. Counted in memory: no read per call. */
  refuseTooMany(userUuid: string): void {
    const now = this.#deps.clock.now()
    if (now - this.#usedSince >= keepMs) {
      this.#used.clear()
      this.#usedSince = now
    }
    const used = this.#used.get(userUuid) ?? 0
    if (used >= this.#keysPerDay) {
      const retryAfterSeconds = Math.ceil((this.#usedSince + keepMs - now) / 1000)
      const fact = `user ${userUuid} has used ${used} idempotency keys within a day on this node, the most that are allowed`
      throw new ApiError('SYS.1010', `${fact}; wait, or make the call without one`, { retryAfterSeconds })
    }
    this.#used.set(userUuid, used + 1)
  }

  /**
   * In the transaction of the effect, before it: a second call with the key waits here for the first.
   * False when the first has claimed it; then nothing may happen.
   */
  async claim(tx: Tx, call: RepeatableCall): Promise<boolean> {
    const now = this.#deps.clock.now()
    const { key, caller, fingerprint } = call
    const { accountUuid, userUuid } = caller
    const row: KeyRow = { key, accountUuid, userUuid, fingerprint, jobUuid: null, sealedAnswer: null, createDate: now }
    await tx
      .deleteFrom('idempotencyKeys')
      .where('key', '=', call.key)
      .where('jobUuid', 'is', null)
      .where('createDate', '<', now - keepMs)
      .execute()
    const inserted = await tx
      .insertInto('idempotencyKeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    return inserted !== undefined
  }

  /** In the same transaction, after the effect: the answer to a repeated call. */
  async storeResult(tx: Tx, call: RepeatableCall, result: StoredResult): Promise<void> {
    const change =
      'jobUuid' in result
        ? { jobUuid: result.jobUuid }
        : { sealedAnswer: this.#deps.sealing.seal(JSON.stringify(result.answer), sealContext(call.key)) }
    await tx.updateTable('idempotencyKeys').set(change).where('key', '=', call.key).execute()
  }

  /** A day after the end: of the call, or of the job it started. */
  async removeOld(): Promise<void> {
    const date = this.#deps.clock.now() - keepMs
    await deleteInBatches(this.#deps.database, (tx, limit) => {
      const old = tx
        .selectFrom('idempotencyKeys')
        .select('key')
        .where('createDate', '<', date)
        .where(({ or, eb, exists }) => or([eb('jobUuid', 'is', null), exists(endedBefore(tx, date))]))
        .limit(limit)
      return deleteByKey(tx, 'idempotencyKeys', 'key', old)
    })
  }

  /** The user of a row that version 1.0 has written: that of its job, or the only user of its account. */
  async #userOf({ accountUuid, jobUuid }: KeyRow): Promise<string | undefined> {
    if (jobUuid === null) return this.#deps.accounts.findOnlyUser(accountUuid)
    const job = this.#deps.database.read.selectFrom('jobs').select('userUuid').where('uuid', '=', jobUuid)
    return (await job.executeTakeFirst())?.userUuid
  }

  #hasExpired(row: KeyRow): boolean {
    return row.jobUuid === null && row.createDate < this.#deps.clock.now() - keepMs
  }
}

const sealContext = (key: string): string => `idempotencyKeys.answer.${key}`

const endedBefore = (tx: Tx, date: number) =>
  tx
    .selectFrom('jobs')
    .select('jobs.uuid')
    .where(sql<boolean>`"jobs"."uuid" = "idempotencyKeys"."jobUuid"`)
    .where('jobs.state', 'not in', activeJobStates)
    .where('jobs.lastOpDate', '<', date)
