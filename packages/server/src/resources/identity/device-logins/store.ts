import { countUpTo } from '@wharf/database/count-up-to.ts'
import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type DeviceLoginRow = Selectable<Tables['deviceLogins']>

/** The rows of sign-ins of devices. */
export class DeviceLoginStore {
  /** False when the user code is taken. */
  async insert(tx: Tx, row: DeviceLoginRow): Promise<boolean> {
    const done = await tx
      .insertInto('deviceLogins')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return done !== undefined
  }

  findByDevice(tx: Tx, deviceCodeHash: string): Promise<DeviceLoginRow | undefined> {
    return tx.selectFrom('deviceLogins').selectAll().where('deviceCodeHash', '=', deviceCodeHash).executeTakeFirst()
  }

  /** The one that waits for this code. */
  findPending(from: Reader | Tx, userCode: string, now: number): Promise<DeviceLoginRow | undefined> {
    return from
      .selectFrom('deviceLogins')
      .selectAll()
      .where('userCode', '=', userCode)
      .where('state', '=', 'Pending')
      .where('expiresDate', '>', now)
      .executeTakeFirst()
  }

  update(tx: Tx, uuid: string, change: Partial<DeviceLoginRow>) {
    return tx.updateTable('deviceLogins').set(change).where('uuid', '=', uuid).execute()
  }

  /** Those that have not expired, up to a limit; of one network, or of all. */
  countWaiting(tx: Tx, { now, limit, network }: { now: number; limit: number; network?: string }): Promise<number> {
    const waiting = tx.selectFrom('deviceLogins').where('expiresDate', '>', now)
    return countUpTo(tx, limit, network === undefined ? waiting : waiting.where('network', '=', network))
  }

  listExpired(tx: Tx, now: number, limit: number): Promise<DeviceLoginRow[]> {
    const expired = tx.selectFrom('deviceLogins').selectAll().where('expiresDate', '<=', now)
    return expired.orderBy('expiresDate').limit(limit).execute()
  }

  delete(tx: Tx, uuids: readonly string[]) {
    return tx.deleteFrom('deviceLogins').where('uuid', 'in', uuids).execute()
  }
}
