import type { Reader, Tx } from './database.ts'

/** Values that the server keeps for itself, each under a name; not to be confused with the settings of an operator. */
export const readSetting = async (from: Reader | Tx, name: string): Promise<string | undefined> =>
  (await from.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value

/** Keeps a value that another node has written first. */
export async function writeSettingOnce(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Those whose names start with this. */
export const listSettings = (from: Reader | Tx, prefix: string): Promise<{ name: string; value: string }[]> =>
  from.selectFrom('settings').selectAll().where('name', 'like', `${prefix}%`).execute()

export async function deleteSettings(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.deleteFrom('settings').where('name', 'in', names).execute()
}
