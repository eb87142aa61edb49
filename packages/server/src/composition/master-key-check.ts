import type { Database } from '@wharf/database/database.ts'
import { readSetting, writeSettingOnce } from '@wharf/database/stored-settings.ts'
import { findMasterKey, makeMasterKey, masterKeyPath } from '@wharf/platform/master-key.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import type { Settings } from './settings.ts'

const keyCheck = 'keyCheck'

/** Of the key that this database belongs to; undefined before the first start. */
export const knownFingerprint = (database: Database): Promise<string | undefined> =>
  readSetting(database.read, keyCheck)

/**
 * The key of this database. The first start creates it; a database without its key gets no other one, and a node with
 * another key could not decrypt values of the others, nor they its own.
 */
export async function openSealing(database: Database, settings: Settings): Promise<Sealing> {
  const key = await refuseOtherKey(database, settings)
  // written to disk before its fingerprint is stored in the database
  const sealing = new Sealing(key ?? makeMasterKey(settings.data))
  const agreed = (await knownFingerprint(database)) ?? (await agreeOn(database, sealing.fingerprint))
  if (agreed !== sealing.fingerprint) throw otherKey(agreed, sealing.fingerprint)
  return sealing
}

/** The configured key, which must match the key of the database. */
export async function refuseOtherKey(database: Database, settings: Settings): Promise<Buffer | undefined> {
  const key = findMasterKey(settings)
  const known = await knownFingerprint(database)
  if (known === undefined) return key
  if (key === undefined)
    throw new OperatorError(
      `the database needs the master key with fingerprint ${known}, and ${masterKeyPath(settings.data)} is missing: put it back`,
    )
  const here = new Sealing(key).fingerprint
  if (here !== known) throw otherKey(known, here)
  return key
}

const otherKey = (needed: string | undefined, here: string): OperatorError =>
  new OperatorError(
    `the database needs the master key with fingerprint ${needed}; the configured one has ${here}: give the key of this database, or put the database of this key back`,
  )

/** The first node on a database decides. */
async function agreeOn(database: Database, fingerprint: string): Promise<string | undefined> {
  await database.transaction((tx) => writeSettingOnce(tx, keyCheck, fingerprint))
  return knownFingerprint(database)
}
