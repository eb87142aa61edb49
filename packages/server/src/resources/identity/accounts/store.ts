import type { Role } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'

export type AccountRow = Selectable<Tables['accounts']>
export type UserRow = Selectable<Tables['users']>

/** In a query over rows with a user: the current role of that user, null when it does not exist. */
export const selectRole = (userUuidColumn: string): RawBuilder<Role | null> =>
  sql`(select "role" from "users" where "users"."uuid" = ${sql.ref(userUuidColumn)})`

/** The same for its scope, as JSON. */
export const selectScope = (userUuidColumn: string): RawBuilder<string | null> =>
  sql`(select "scope" from "users" where "users"."uuid" = ${sql.ref(userUuidColumn)})`

export class AccountStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The account and its user with the password hash; one query whether they exist or not. */
  async findForLogin(
    account: { name?: string; uuid?: string },
    userName: string,
  ): Promise<{ accountUuid?: string; user?: UserRow }> {
    let found = this.#database.read
      .selectFrom('accounts')
      .leftJoin('users', (join) =>
        join.onRef('users.accountUuid', '=', 'accounts.uuid').on('users.name', '=', userName),
      )
      .selectAll('users')
      .select('accounts.uuid as foundAccount')
    if (account.name !== undefined) found = found.where('accounts.name', '=', account.name)
    if (account.uuid !== undefined) found = found.where('accounts.uuid', '=', account.uuid)
    const row = await found.executeTakeFirst()
    if (row === undefined) return {}
    const { foundAccount: accountUuid, ...user } = row
    return user.uuid === null ? { accountUuid } : { accountUuid, user: user as UserRow }
  }

  async isEmpty(tx: Tx): Promise<boolean> {
    return (await tx.selectFrom('accounts').select('uuid').limit(1).executeTakeFirst()) === undefined
  }

  findByName(name: string): Promise<AccountRow | undefined> {
    return this.#database.read.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst()
  }

  findAccountByName(tx: Tx, name: string): Promise<AccountRow | undefined> {
    return tx.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst()
  }

  /** The user of an identity provider. */
  findBySubject(tx: Tx, { issuer, subject }: { issuer: string; subject: string }): Promise<UserRow | undefined> {
    const user = tx.selectFrom('users').selectAll().where('issuer', '=', issuer)
    return user.where('subject', '=', subject).executeTakeFirst()
  }

  findAccount(tx: Tx, uuid: string): Promise<AccountRow | undefined> {
    return tx.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  findUser(tx: Tx, uuid: string): Promise<UserRow | undefined> {
    return tx.selectFrom('users').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  readUser(uuid: string): Promise<UserRow | undefined> {
    return this.#database.read.selectFrom('users').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  readNames(
    userUuid: string,
  ): Promise<{ accountUuid: string; accountName: string; userName: string; hasBootstrapPassword: number } | undefined> {
    return this.#database.read
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.uuid', 'users.accountUuid')
      .select(['accountUuid', 'accounts.name as accountName', 'users.name as userName', 'hasBootstrapPassword'])
      .where('users.uuid', '=', userUuid)
      .executeTakeFirst()
  }

  /** False when the name or the uuid is taken. */
  async insertAccount(tx: Tx, row: Insertable<Tables['accounts']>): Promise<boolean> {
    const done = await tx
      .insertInto('accounts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  async insertUser(tx: Tx, row: Insertable<Tables['users']>): Promise<boolean> {
    const done = await tx
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  async updateUser(
    tx: Tx,
    uuid: string,
    change: Partial<Omit<UserRow, 'uuid'>> & { lastOpDate: number },
  ): Promise<void> {
    await tx.updateTable('users').set(change).where('uuid', '=', uuid).execute()
  }

  async touchAccount(tx: Tx, uuid: string, lastOpDate: number): Promise<void> {
    await tx.updateTable('accounts').set({ lastOpDate }).where('uuid', '=', uuid).execute()
  }

  usersOf(from: Reader | Tx, accountUuid: string): Promise<Pick<UserRow, 'uuid' | 'name' | 'scope'>[]> {
    return from
      .selectFrom('users')
      .select(['uuid', 'name', 'scope'])
      .where('accountUuid', '=', accountUuid)
      .orderBy('uuid')
      .execute()
  }

  keysOf(tx: Tx, userUuid: string): Promise<Selectable<Tables['accessKeys']>[]> {
    return tx.selectFrom('accessKeys').selectAll().where('userUuid', '=', userUuid).orderBy('uuid').execute()
  }

  async deleteAccount(tx: Tx, uuid: string): Promise<void> {
    await tx.deleteFrom('accounts').where('uuid', '=', uuid).execute()
  }

  /** Sessions and keys are deleted by their foreign keys. */
  async deleteUser(tx: Tx, uuid: string): Promise<void> {
    await tx.deleteFrom('users').where('uuid', '=', uuid).execute()
  }

  /** Those without a scope. An identity provider can withdraw the role of its users at any time, so they do not count. */
  async countAdmins(tx: Tx, except: { userUuid?: string; accountUuid?: string }): Promise<number> {
    let admins = tx.selectFrom('users').where('role', '=', 'admin').where('scope', '=', '[]')
    admins = admins.where('source', '=', 'Local')
    if (except.userUuid !== undefined) admins = admins.where('uuid', '!=', except.userUuid)
    if (except.accountUuid !== undefined) admins = admins.where('accountUuid', '!=', except.accountUuid)
    const { count } = await admins.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    return count
  }
}
