import type { Database } from '@wharf/database/database.ts'
import { readSetting, writeSettingOnce } from '@wharf/database/stored-settings.ts'
import {
  findMasterKey,
  findNextMasterKey,
  makeMasterKey,
  masterKeyPath,
  promoteNextMasterKey,
} from '@wharf/platform/master-key.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { applyRotation, keepsKey, keyCheckName, readRotation } from './master-key-rotation.ts'
import { settingContext } from './sealed-columns.ts'
import type { Settings } from './settings.ts'

const tokenKeyName = 'sealedTokenKey'

/** Of the key that this database belongs to; undefined before the first start. */
export const knownFingerprint = (database: Database): Promise<string | undefined> =>
  readSetting(database.read, keyCheckName)

/**
 * The key of this database. The first start creates it; a database without its key gets no other one, and a node with
 * another key could not decrypt values of the others, nor they its own.
 */
export async function openSealing(database: Database, settings: Settings): Promise<Sealing> {
  const key = await refuseOtherKey(database, settings)
  // written to disk before its fingerprint is stored in the database
  const sealing = new Sealing(key ?? makeMasterKey(settings.data))
  const agreed = (await knownFingerprint(database)) ?? (await agreeOn(database, sealing.fingerprint))
  const rotation = await readRotation(database)
  if (rotation) applyRotation(sealing, rotation)
  else if (agreed !== sealing.fingerprint) throw otherKey(agreed, sealing.fingerprint)
  await shareTokenKey(database, sealing)
  return sealing
}

/** The configured key, which must match the key of the database. */
export async function refuseOtherKey(database: Database, settings: Settings): Promise<Buffer | undefined> {
  const known = await knownFingerprint(database)
  const key = promotedKey(settings, known) ?? findMasterKey(settings)
  if (known === undefined) return key
  if (key === undefined)
    throw new OperatorError(
      `the database needs the master key with fingerprint ${known}, and ${masterKeyPath(settings.data)} is missing: put it back`,
    )
  const here = new Sealing(key).fingerprint
  if (here !== known && here !== (await readRotation(database))?.to) throw otherKey(known, here)
  return key
}

/** After a rotation that ended while this node was down, or just before it was killed. */
function promotedKey(settings: Settings, known: string | undefined): Buffer | undefined {
  const next = keepsKey(settings) ? findNextMasterKey(settings.data) : undefined
  if (next === undefined || new Sealing(next).fingerprint !== known) return undefined
  promoteNextMasterKey(settings.data)
  return next
}

/** Derived from the first master key, then stored: tokens outlive a rotation. */
async function shareTokenKey(database: Database, sealing: Sealing): Promise<void> {
  const context = settingContext(tokenKeyName)
  let stored = await readSetting(database.read, tokenKeyName)
  if (stored === undefined) {
    const sealed = sealing.sealTokenKey(context).toString('base64')
    await database.transaction((tx) => writeSettingOnce(tx, tokenKeyName, sealed))
    stored = await readSetting(database.read, tokenKeyName)
  }
  if (stored !== undefined) sealing.useTokenKey(Buffer.from(stored, 'base64'), context)
}

const otherKey = (needed: string | undefined, here: string): OperatorError =>
  new OperatorError(
    `the database needs the master key with fingerprint ${needed}; the configured one has ${here}: give the key of this database, or put the database of this key back`,
  )

/** The first node on a database decides. */
async function agreeOn(database: Database, fingerprint: string): Promise<string | undefined> {
  await database.transaction((tx) => writeSettingOnce(tx, keyCheckName, fingerprint))
  return knownFingerprint(database)
}
