import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type OidcSignInRow = Selectable<Tables['oidcSignIns']>
export type OidcSessionRow = Selectable<Tables['oidcSessions']>

/** The rows of sign-ins and sessions with identity providers. */
export class OidcStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  insertSignIn(tx: Tx, row: OidcSignInRow) {
    return tx.insertInto('oidcSignIns').values(row).execute()
  }

  /** Beyond the newest `keep` of a network. */
  async dropOldSignIns(tx: Tx, network: string, keep: number): Promise<void> {
    const old = tx
      .selectFrom('oidcSignIns')
      .select('stateHash')
      .where('network', '=', network)
      .orderBy('expiredDate', 'desc')
      .orderBy('stateHash')
      .offset(keep)
      .limit(1000)
    await deleteByKey(tx, 'oidcSignIns', 'stateHash', old)
  }

  /** A sign-in is taken once, on whichever node, by the browser that started it. */
  takeSignIn(tx: Tx, stateHash: string, browserHash: string): Promise<OidcSignInRow | undefined> {
    return tx
      .deleteFrom('oidcSignIns')
      .where('stateHash', '=', stateHash)
      .where('browserHash', '=', browserHash)
      .returningAll()
      .executeTakeFirst()
  }

  deleteExpiredSignIns(tx: Tx, now: number, limit: number): Promise<number> {
    const expired = tx.selectFrom('oidcSignIns').select('stateHash').where('expiredDate', '<=', now).limit(limit)
    return deleteByKey(tx, 'oidcSignIns', 'stateHash', expired)
  }

  insertSession(tx: Tx, row: OidcSessionRow) {
    return tx.insertInto('oidcSessions').values(row).execute()
  }

  /** Of a subject, or of one session at the provider. */
  async listSessions(
    tx: Tx,
    { issuer, subject, sid }: { issuer: string; subject: string | undefined; sid: string | undefined },
  ): Promise<string[]> {
    let sessions = tx.selectFrom('oidcSessions').select('sessionHash').where('issuer', '=', issuer)
    if (sid !== undefined) sessions = sessions.where('sid', '=', sid)
    if (subject !== undefined) sessions = sessions.where('subject', '=', subject)
    return (await sessions.orderBy('sessionHash').execute()).map(({ sessionHash }) => sessionHash)
  }

  listDue(now: number, limit: number): Promise<OidcSessionRow[]> {
    return this.#database.read
      .selectFrom('oidcSessions')
      .selectAll()
      .where('nextRefreshDate', '<=', now)
      .orderBy('nextRefreshDate')
      .limit(limit)
      .execute()
  }

  /** False when another node was first, or the session has ended. */
  async claimRefresh(tx: Tx, { sessionHash, nextRefreshDate }: OidcSessionRow, until: number): Promise<boolean> {
    const claimed = await tx
      .updateTable('oidcSessions')
      .set({ nextRefreshDate: until })
      .where('sessionHash', '=', sessionHash)
      .where('nextRefreshDate', '=', nextRefreshDate)
      .returning('sessionHash')
      .executeTakeFirst()
    return claimed !== undefined
  }

  updateSession(tx: Tx, sessionHash: string, change: Partial<OidcSessionRow>) {
    return tx.updateTable('oidcSessions').set(change).where('sessionHash', '=', sessionHash).execute()
  }

  /** False when the token was accepted before, on any node. */
  async useLogoutToken(
    tx: Tx,
    { issuer, jti, expiredDate }: { issuer: string; jti: string; expiredDate: number },
  ): Promise<boolean> {
    const inserted = await tx
      .insertInto('oidcLogoutTokens')
      .values({ issuer, jti, expiredDate })
      .onConflict((conflict) => conflict.doNothing())
      .returning('jti')
      .executeTakeFirst()
    return inserted !== undefined
  }

  async deleteExpiredLogoutTokens(tx: Tx, now: number, limit: number): Promise<number> {
    const expired = tx
      .selectFrom('oidcLogoutTokens')
      .select(['issuer', 'jti'])
      .where('expiredDate', '<=', now)
      .limit(limit)
    const deletion = sql`delete from "oidcLogoutTokens" where ("issuer", "jti") in ${expired}`
    return Number((await deletion.execute(tx)).numAffectedRows)
  }
}
