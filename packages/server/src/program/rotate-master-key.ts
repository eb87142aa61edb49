import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { lockFolder } from '@wharf/platform/folder-lock.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { findNextMasterKey, keepNextMasterKey, newMasterKey, readMasterKey } from '@wharf/platform/master-key.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { lastWritePath } from '../composition/database-checks.ts'
import { openSealing, refuseOtherKey } from '../composition/master-key-check.ts'
import {
  announceRotation,
  keepsKey,
  listRunningNodes,
  listUnconfirmed,
  MasterKeyRotation,
  type Rotation,
  readRotation,
} from '../composition/master-key-rotation.ts'
import type { Settings } from '../composition/settings.ts'
import { NodeStore } from '../resources/management-nodes/service.ts'

const pollMs = 500
const reportEveryMs = 10_000

/** Announces the rotation, which running servers carry out; without one it does so itself. Returns when it has ended. */
export async function rotateMasterKey(
  database: OpenedDatabase,
  settings: Settings,
  { newKeyFile, print }: { newKeyFile: string | undefined; print: (text: string) => void },
): Promise<void> {
  const rotation = await begin(database, settings, newKeyFile)
  print(
    `Rotating the master key from ${rotation.from} to ${rotation.to}. An interrupted rotation continues with the next start of a server.`,
  )
  const nodes = new NodeStore(database)
  let reportedAt = performance.now()
  for (let now = await readRotation(database); now?.to === rotation.to; now = await readRotation(database)) {
    if (!(await rotateHere(database, settings, nodes))) await sleep(pollMs)
    if (performance.now() - reportedAt < reportEveryMs) continue
    reportedAt = performance.now()
    const missing = await listUnconfirmed(database, await listRunningNodes(nodes), now)
    print(missing.length === 0 ? 'Resealing the stored values…' : `Waiting for node ${missing.join(', ')}…`)
  }
  print(`The master key now has the fingerprint ${rotation.to}; nothing is sealed with the former one any more.`)
  print('Keep the former one as long as you keep backups that were made before.')
  if (!keepsKey(settings))
    print('Before the next start of a node, put the new key where WHARF_MASTER_KEY or WHARF_MASTER_KEY_FILE is set.')
}

async function begin(database: OpenedDatabase, settings: Settings, newKeyFile: string | undefined): Promise<Rotation> {
  const key = await refuseOtherKey(database, settings)
  if (key === undefined) throw new OperatorError('no server has used this database yet: there is no key to rotate')
  const before = await readRotation(database)
  const given = newKeyFile === undefined ? undefined : readMasterKey(newKeyFile)
  if (before) {
    if (given && new Sealing(given).fingerprint !== before.to)
      throw new OperatorError(
        `a rotation to the key with fingerprint ${before.to} is in progress: run rotate-master-key without a file, and again with ${newKeyFile} when it has ended`,
      )
    return before
  }
  if (given === undefined && !keepsKey(settings))
    throw new OperatorError(
      'the key is in WHARF_MASTER_KEY or WHARF_MASTER_KEY_FILE: write a new one to a file (openssl rand -base64 32) and run rotate-master-key FILE',
    )
  if (given && new Sealing(given).fingerprint === new Sealing(key).fingerprint)
    throw new OperatorError(`${newKeyFile} has the key that is in use: write a new one there (openssl rand -base64 32)`)
  // the key of an attempt that was interrupted before it was announced
  const newKey = given ?? findNextMasterKey(settings.data) ?? newMasterKey()
  if (keepsKey(settings)) keepNextMasterKey(settings.data, newKey)
  await announceRotation(database, key, newKey)
  const announced = await readRotation(database)
  if (announced === undefined) throw new OperatorError('the rotation has ended already')
  return announced
}

/** False while a server runs, which then does it. */
async function rotateHere(database: OpenedDatabase, settings: Settings, nodes: NodeStore): Promise<boolean> {
  if (await isServed(settings, nodes)) return false
  using _lock = settings.databaseUrl === undefined ? lockFolder(settings.data) : undefined
  const onLost = (error: Error): void => {
    throw new OperatorError(error.message)
  }
  const sealing = await openSealing(database, settings)
  const deps = { database, sealing, settings, listRunning: async () => [], log: makeLog('error'), onLost }
  await new MasterKeyRotation(deps).step()
  return true
}

/** A killed server may start again within seconds, and must not find its data folder locked. */
async function isServed({ data, databaseUrl }: Settings, nodes: NodeStore): Promise<boolean> {
  const wasStopped = databaseUrl === undefined && !existsSync(lastWritePath(data))
  return !wasStopped && (await listRunningNodes(nodes)).length > 0
}
