import type { Database, Tx } from '@wharf/database/database.ts'
import {
  deleteSettings,
  listSettings,
  readSetting,
  writeSetting,
  writeSettingOnce,
} from '@wharf/database/stored-settings.ts'
import type { Log } from '@wharf/platform/log.ts'
import { findNextMasterKey, keepNextMasterKey, promoteNextMasterKey } from '@wharf/platform/master-key.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import type { NodeStore } from '../resources/management-nodes/service.ts'
import { resealAll } from './sealed-columns.ts'
import type { Settings } from './settings.ts'

const rotationName = 'masterKeyRotation'
const acknowledgementName = (nodeUuid: string): string => `${rotationName}.${nodeUuid}`
/** Of the key that this database belongs to. */
export const keyCheckName = 'keyCheck'
const pollMs = 1000
/** As long as other nodes wait before they take the jobs of one that is silent. */
const silentAfterMs = 10_000
const sealContext = (name: 'newKey' | 'formerKey'): string => `settings.${rotationName}.${name}`

/**
 * Stored while the master key is rotated. First every running node opens values of both keys, then every node seals
 * with the new one, then one of them reseals the stored values.
 */
export interface Rotation {
  /** Fingerprints. */
  readonly from: string
  readonly to: string
  readonly phase: 'Opening' | 'Sealing'
  /** Base64, each sealed with the other key: a node learns the key that it does not have. */
  readonly newKey: string
  readonly formerKey: string
}

export async function readRotation(database: Database): Promise<Rotation | undefined> {
  const stored = await readSetting(database.read, rotationName)
  return stored === undefined ? undefined : (JSON.parse(stored) as Rotation)
}

/** A rotation in progress keeps its key. */
export async function announceRotation(database: Database, formerKey: Buffer, newKey: Buffer): Promise<void> {
  const [former, next] = [new Sealing(formerKey), new Sealing(newKey)]
  const rotation: Rotation = {
    from: former.fingerprint,
    to: next.fingerprint,
    phase: 'Opening',
    newKey: former.seal(newKey.toString('base64'), sealContext('newKey')).toString('base64'),
    formerKey: next.seal(formerKey.toString('base64'), sealContext('formerKey')).toString('base64'),
  }
  await database.transaction((tx) => writeSettingOnce(tx, rotationName, JSON.stringify(rotation)))
}

/** Opens values of both keys, and seals with the one that the phase requires. Returns the new key. */
export function applyRotation(sealing: Sealing, { from, to, phase, newKey, formerKey }: Rotation): Buffer | undefined {
  const open = (sealed: string, name: 'newKey' | 'formerKey'): Buffer =>
    Buffer.from(sealing.open(Buffer.from(sealed, 'base64'), sealContext(name)), 'base64')
  // a node that has only the new key learns the former one
  const learned = sealing.opens(from) ? open(newKey, 'newKey') : open(formerKey, 'formerKey')
  sealing.admit(learned)
  sealing.switchTo(phase === 'Opening' ? from : to)
  return new Sealing(learned).fingerprint === to ? learned : undefined
}

interface RotationDeps {
  readonly database: Database
  readonly sealing: Sealing
  readonly settings: Pick<Settings, 'data' | 'masterKey' | 'masterKeyFile'>
  /** The uuids of the running nodes, in order. */
  readonly listRunning: () => Promise<string[]>
  /** Undefined for a command that rotates while no server runs. */
  readonly nodeUuid?: string
  readonly log: Log
  /** The key was rotated while this node did not respond: it can no longer read the database. */
  readonly onLost: (error: Error) => void
}

/** Takes part in every rotation of the master key on this database. */
export class MasterKeyRotation {
  readonly #deps: RotationDeps
  readonly #steps = new SingleFlight()
  readonly #stopping = new AbortController()
  #isRotating = false
  /** What this node has confirmed, so that it is written once. */
  #acknowledged: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(deps: RotationDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    await this.step()
    this.#timer = setInterval(() => void this.#steps.run(() => this.#stepOrWarn()), pollMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#steps.running
  }

  async #stepOrWarn(): Promise<void> {
    await this.step().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted)
        this.#deps.log.warn({ err: error }, 'the rotation of the master key is tried again')
    })
  }

  async step(): Promise<void> {
    const { database, sealing, settings } = this.#deps
    const rotation = await readRotation(database)
    if (rotation === undefined) return this.#finish()
    this.#isRotating = true
    const newKey = applyRotation(sealing, rotation)
    // on the disk before this node confirms that it has the key
    if (newKey && keepsKey(settings) && !findNextMasterKey(settings.data)?.equals(newKey))
      keepNextMasterKey(settings.data, newKey)
    await this.#acknowledge(rotation)
    if (await this.#leads()) await this.#advance(rotation)
  }

  async #acknowledge({ to, phase }: Rotation): Promise<void> {
    const { database, nodeUuid } = this.#deps
    const confirmed = `${to} ${phase}`
    if (nodeUuid === undefined || this.#acknowledged === confirmed) return
    await database.transaction((tx) => writeSetting(tx, acknowledgementName(nodeUuid), confirmed))
    this.#acknowledged = confirmed
  }

  /** The first of the running nodes; the next one takes over when it stops. */
  async #leads(): Promise<boolean> {
    return (await this.#deps.listRunning())[0] === this.#deps.nodeUuid
  }

  async #advance(rotation: Rotation): Promise<void> {
    const { database, sealing, listRunning, log } = this.#deps
    if ((await listUnconfirmed(database, await listRunning(), rotation)).length > 0) return
    if (rotation.phase === 'Opening') {
      const next: Rotation = { ...rotation, phase: 'Sealing' }
      await database.transaction((tx) => writeSetting(tx, rotationName, JSON.stringify(next)))
      return
    }
    await resealAll({
      database,
      sealing,
      signal: this.#stopping.signal,
      onUnreadable: (context) => log.error({ context }, 'a sealed value opens with neither key, and stays as it is'),
    })
    await database.transaction((tx) => endRotation(tx, rotation.to))
    await this.#finish()
  }

  /** After the end of a rotation. */
  async #finish(): Promise<void> {
    const { database, sealing, settings, log, onLost } = this.#deps
    const known = await readSetting(database.read, keyCheckName)
    if (known !== undefined && known !== sealing.fingerprint)
      return onLost(
        new Error(
          `the master key was rotated while this node did not respond: give it the key with fingerprint ${known}, which the other nodes have, and start it again`,
        ),
      )
    if (!this.#isRotating) return
    this.#isRotating = false
    this.#acknowledged = undefined
    log.info({ fingerprint: sealing.fingerprint }, 'the master key was rotated')
    if (keepsKey(settings)) promoteNextMasterKey(settings.data)
    else
      log.warn(
        { fingerprint: sealing.fingerprint },
        'before the next start of this node, put the new master key into WHARF_MASTER_KEY_FILE or WHARF_MASTER_KEY',
      )
  }
}

/** The data folder has the key, so this server replaces it; other places are the operator's. */
export const keepsKey = ({ masterKey, masterKeyFile }: Pick<Settings, 'masterKey' | 'masterKeyFile'>): boolean =>
  masterKey === undefined && masterKeyFile === undefined

export async function listRunningNodes(nodes: NodeStore): Promise<string[]> {
  const ages = await nodes.listHeartbeatAges()
  return ages
    .filter(({ status, ageMs }) => status === 'Alive' && ageMs < silentAfterMs)
    .map(({ uuid }) => uuid)
    .sort()
}

/** The running nodes that have not confirmed the phase. */
export async function listUnconfirmed(
  database: Database,
  running: readonly string[],
  rotation: Rotation,
): Promise<string[]> {
  const confirmations = new Map(
    (await listSettings(database.read, `${rotationName}.`)).map(({ name, value }) => [name, value]),
  )
  const expected = `${rotation.to} ${rotation.phase}`
  return running.filter((uuid) => confirmations.get(acknowledgementName(uuid)) !== expected)
}

async function endRotation(tx: Tx, fingerprint: string): Promise<void> {
  await writeSetting(tx, keyCheckName, fingerprint)
  const names = (await listSettings(tx, rotationName)).map(({ name }) => name)
  await deleteSettings(tx, names)
}
