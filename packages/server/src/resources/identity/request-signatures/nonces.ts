import { signatureValidSeconds } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sql } from 'kysely'

/** The nonce of a signature, and the call that has it. */
export interface UsedNonce {
  readonly AccessKeyID: string
  readonly nonce: string
  /** Seconds since 1970. */
  readonly created: number
  readonly requestId: string
}

/** Nodes estimate the time of the database, and may differ by a few seconds. */
const clockErrorMs = 60_000

const repeated = ({ nonce }: UsedNonce): ApiError =>
  new ApiError('ID.1000', `the nonce ${nonce} was used for another call; sign each call with a new one`)

/** The nonces of calls that changed something: on no node can the same signature cause a second change. */
export class Nonces {
  readonly #deps: { readonly database: Database; readonly clock: Clock }

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps
  }

  /** In the transaction of a change. A concurrent call with the same nonce waits here for the end of the first. */
  async use(tx: Tx, used: UsedNonce): Promise<void> {
    const { AccessKeyID, nonce, requestId, created } = used
    const expiresDate = (created + signatureValidSeconds) * 1000 + clockErrorMs
    const inserted = await tx
      .insertInto('usedNonces')
      .values({ AccessKeyID, nonce, requestId, expiresDate })
      .onConflict((conflict) => conflict.doNothing())
      .returning('nonce')
      .executeTakeFirst()
    if (inserted === undefined) await this.refuseRepeated(used, tx)
  }

  /** A call may use its own nonce in several transactions. */
  async refuseRepeated(used: UsedNonce, from: Tx | Database['read'] = this.#deps.database.read): Promise<void> {
    const row = await from
      .selectFrom('usedNonces')
      .select('requestId')
      .where('AccessKeyID', '=', used.AccessKeyID)
      .where('nonce', '=', used.nonce)
      .executeTakeFirst()
    if (row !== undefined && row.requestId !== used.requestId) throw repeated(used)
  }

  async removeOld(): Promise<void> {
    const now = this.#deps.clock.now()
    await deleteInBatches(this.#deps.database, async (tx, limit) => {
      const old = tx
        .selectFrom('usedNonces')
        .select(['AccessKeyID', 'nonce'])
        .where('expiresDate', '<', now)
        .limit(limit)
      const deletion = sql`delete from "usedNonces" where ("AccessKeyID", "nonce") in ${old}`
      return Number((await deletion.execute(tx)).numAffectedRows)
    })
  }
}
