import type { Database } from './database/database.ts'
import type { Sealing } from './platform/sealing.ts'

/** A node with another master key could neither read what the others sealed nor be read by them. */
export async function checkMasterKey(database: Database, sealing: Sealing): Promise<void> {
  const mine = sealing.fingerprint
  const known = await database.transaction(async (tx) => {
    await tx
      .insertInto('settings')
      .values({ name: 'keyCheck', value: mine })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return tx.selectFrom('settings').select('value').where('name', '=', 'keyCheck').executeTakeFirstOrThrow()
  })
  if (known.value !== mine)
    throw new Error(`this database belongs to the master key ${known.value}; the one given here is ${mine}`)
}
