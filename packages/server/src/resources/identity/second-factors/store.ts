import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type AuthenticatorRow = Selectable<Tables['authenticators']>
export type PasskeyRow = Selectable<Tables['passkeys']>

export class SecondFactorStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  readAuthenticator(userUuid: string): Promise<AuthenticatorRow | undefined> {
    return this.#database.read.selectFrom('authenticators').selectAll().where('uuid', '=', userUuid).executeTakeFirst()
  }

  readPasskeys(userUuid: string): Promise<PasskeyRow[]> {
    return this.#database.read
      .selectFrom('passkeys')
      .selectAll()
      .where('userUuid', '=', userUuid)
      .orderBy('createDate', 'desc')
      .orderBy('uuid')
      .execute()
  }

  async countRecoveryCodes(userUuid: string): Promise<number> {
    const { count } = await this.#database.read
      .selectFrom('recoveryCodes')
      .where('userUuid', '=', userUuid)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  /** Replaces one that is not confirmed; false if it is. */
  async putAuthenticator(tx: Tx, row: AuthenticatorRow): Promise<boolean> {
    const { uuid, ...values } = row
    const done = await tx
      .insertInto('authenticators')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('uuid').doUpdateSet(values).where('authenticators.confirmedDate', 'is', null),
      )
      .returning('uuid')
      .executeTakeFirst()
    return done?.uuid === uuid
  }

  /** Each step once, on all nodes: false if this one or a later one was used. */
  async useStep(tx: Tx, userUuid: string, step: number): Promise<boolean> {
    const done = await tx
      .updateTable('authenticators')
      .set({ lastStep: step })
      .where('uuid', '=', userUuid)
      .where('lastStep', '<', step)
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  async confirmAuthenticator(tx: Tx, userUuid: string, confirmedDate: number): Promise<void> {
    await tx.updateTable('authenticators').set({ confirmedDate }).where('uuid', '=', userUuid).execute()
  }

  async deleteAuthenticator(tx: Tx, userUuid: string): Promise<void> {
    await tx.deleteFrom('authenticators').where('uuid', '=', userUuid).execute()
  }

  /** Whether a confirmed factor exists. */
  async hasFactor(tx: Tx, userUuid: string): Promise<boolean> {
    const authenticator = await tx
      .selectFrom('authenticators')
      .select('uuid')
      .where('uuid', '=', userUuid)
      .where('confirmedDate', 'is not', null)
      .executeTakeFirst()
    const passkey = await tx.selectFrom('passkeys').select('uuid').where('userUuid', '=', userUuid).executeTakeFirst()
    return authenticator !== undefined || passkey !== undefined
  }

  async hasRecoveryCodes(tx: Tx, userUuid: string): Promise<boolean> {
    const found = tx.selectFrom('recoveryCodes').select('hash').where('userUuid', '=', userUuid)
    return (await found.executeTakeFirst()) !== undefined
  }

  async replaceRecoveryCodes(tx: Tx, userUuid: string, hashes: readonly string[]): Promise<void> {
    await tx.deleteFrom('recoveryCodes').where('userUuid', '=', userUuid).execute()
    if (hashes.length === 0) return
    await tx
      .insertInto('recoveryCodes')
      .values(hashes.map((hash) => ({ userUuid, hash })))
      .execute()
  }

  async useRecoveryCode(tx: Tx, userUuid: string, hash: string): Promise<boolean> {
    const done = await tx
      .deleteFrom('recoveryCodes')
      .where('userUuid', '=', userUuid)
      .where('hash', '=', hash)
      .returning('hash')
      .executeTakeFirst()
    return done !== undefined
  }

  /** False if another user or this one has it already. */
  async insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
    const done = await tx
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  async usePasskey(tx: Tx, uuid: string, counter: number, lastUsedDate: number): Promise<void> {
    await tx.updateTable('passkeys').set({ counter, lastUsedDate }).where('uuid', '=', uuid).execute()
  }

  /** False if the user has no such passkey. */
  async deletePasskey(tx: Tx, userUuid: string, uuid: string): Promise<boolean> {
    const done = await tx
      .deleteFrom('passkeys')
      .where('userUuid', '=', userUuid)
      .where('uuid', '=', uuid)
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  async deletePasskeys(tx: Tx, userUuid: string): Promise<void> {
    await tx.deleteFrom('passkeys').where('userUuid', '=', userUuid).execute()
  }

  async insertChallenge(tx: Tx, row: Tables['passkeyChallenges']): Promise<void> {
    await tx.insertInto('passkeyChallenges').values(row).execute()
  }

  readChallenge(hash: string): Promise<Tables['passkeyChallenges'] | undefined> {
    return this.#database.read.selectFrom('passkeyChallenges').selectAll().where('hash', '=', hash).executeTakeFirst()
  }

  /** Once. */
  async useChallenge(tx: Tx, hash: string): Promise<boolean> {
    const done = await tx.deleteFrom('passkeyChallenges').where('hash', '=', hash).returning('hash').executeTakeFirst()
    return done !== undefined
  }

  deleteExpiredChallenges(tx: Tx, now: number, limit: number): Promise<number> {
    const expired = tx.selectFrom('passkeyChallenges').select('hash').where('expiresDate', '<=', now).limit(limit)
    return deleteByKey(tx, 'passkeyChallenges', 'hash', expired)
  }
}
