import { statfsSync } from 'node:fs'
import { arch, hostname, release, type as system } from 'node:os'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import { isForeignKeyViolation } from '@wharf/database/failures.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { look } from '@wharf/platform/look.ts'
import { OnAnotherNode } from '@wharf/platform/on-another-node.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { fetchHostKeys } from '@wharf/ssh/fetch-host-key.ts'
import { checkedFingerprint, fingerprintOf, typeOf } from '@wharf/ssh/host-key.ts'
import { readPrivateKey } from '@wharf/ssh/private-key.ts'
import { checkedTarget } from '@wharf/ssh/target.ts'
import type { Caller } from '../../calls/caller.ts'
import type { Events } from '../../events/events.ts'
import type { HostDriver, Usage } from './driver.ts'
import { HostDrivers, privateKeyPlace } from './drivers.ts'
import { openLocalDriver } from './local-driver.ts'
import {
  checkedPackagesPath,
  defaultPackagesPath,
  findDefaultPackagesPath,
  requireWritablePackagesPath,
  unknownPackagesPath,
} from './packages-path.ts'
import { requireWorkOn } from './server-machine.ts'
import * as store from './store.ts'
import { HostWatch } from './watch.ts'

export { canWorkOn, requireWorkOn } from './server-machine.ts'
export type { HostRow } from './store.ts'

export interface NewHost {
  name: string
  driver: 'ssh' | 'local'
  address: string
  sshPort?: number | undefined
  username: string
  privateKey?: string | undefined
  hostKeyFingerprint?: string | undefined
  packagesPath?: string | undefined
  description?: string | undefined
  resourceUuid?: string | undefined
}

/** A file system that does not tell its size in this time is away. */
const usageMs = 5000
/** More than the first key takes, which there must be; whoever asked waits in front of a form. */
const keysMs = 20_000

export class HostService {
  readonly drivers: HostDrivers
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #sealing: Sealing
  readonly #nodeUuid: string
  readonly #data: string
  readonly #thisMachine: ReturnType<typeof openLocalDriver>
  readonly watch: HostWatch

  constructor(parts: {
    database: Database
    events: Events
    clock: Clock
    sealing: Sealing
    nodeUuid: string
    settings: { data: string }
  }) {
    this.drivers = new HostDrivers({ sealing: parts.sealing, data: parts.settings.data })
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#sealing = parts.sealing
    this.#nodeUuid = parts.nodeUuid
    this.#data = parts.settings.data
    this.#thisMachine = openLocalDriver(parts.settings.data)
    this.watch = new HostWatch(parts, this.drivers, (host) => this.#look(host))
  }

  /** The machine that a management node runs on is a host from the first start on. */
  async registerThisMachine(tx: Tx, nodeUuid: string): Promise<string> {
    const known = await store.findLocalHost(tx, nodeUuid)
    if (known) return known.uuid
    const { blocks, bavail, bsize } = statfsSync('/')
    const row = {
      ...this.#fresh(newUuid(), { name: 'this-node', driver: 'local', address: '127.0.0.1', username: '' }),
      description: 'The machine that this management node runs on',
      managementNodeUuid: nodeUuid,
      status: 'Connected' as const,
      hostName: hostname(),
      system: `${system()} ${release()}`,
      architecture: arch(),
      totalCapacity: blocks * bsize,
      availableCapacity: bavail * bsize,
      // not from os, which throws for a user without a name; what is unknown here is found by the first probe
      packagesPath: defaultPackagesPath({ uid: process.getuid?.() ?? Number.NaN, home: process.env.HOME ?? '' }),
    }
    await store.insertHost(tx, row)
    await this.#tell(tx, 'Created', row.uuid)
    return row.uuid
  }

  /** What can be refused before anything is done: the shape of what was given. What comes back is to be created. */
  async check(given: NewHost): Promise<NewHost> {
    const isLocal = given.driver === 'local'
    const host =
      given.packagesPath === undefined
        ? given
        : { ...given, packagesPath: checkedPackagesPath(given.packagesPath, isLocal ? [this.#data] : []) }
    if (isLocal) return host
    checkedTarget({ address: host.address, port: host.sshPort ?? 22, username: host.username })
    if (host.hostKeyFingerprint !== undefined) checkedFingerprint(host.hostKeyFingerprint)
    if (host.privateKey === undefined) return host
    // as ssh wants it, not as a form has sent it
    return { ...host, privateKey: (await readPrivateKey(host.privateKey)).privateKey.reveal() }
  }

  /** What a machine can be recognised by. It need not be a host, nothing signs in there, and nothing is kept. */
  async lookAtKeys(address: string, port = 22): Promise<{ type: string; fingerprint: string }[]> {
    const target = { address, port, username: 'root' }
    const keys = await fetchHostKeys(target, { signal: AbortSignal.timeout(keysMs) })
    return keys.map((key) => ({ type: typeOf(key), fingerprint: fingerprintOf(key) }))
  }

  /** The record of a host that is about to be reached for the first time. */
  async create(tx: Tx, host: NewHost): Promise<store.HostRow> {
    const uuid = host.resourceUuid ?? newUuid()
    const sealedPrivateKey =
      host.privateKey === undefined ? null : this.#sealing.seal(host.privateKey, privateKeyPlace(uuid))
    const row = { ...this.#fresh(uuid, host), sealedPrivateKey }
    if (!(await store.insertHost(tx, row)))
      throw new ApiError('SYS.1002', `a host with the uuid ${uuid} exists already`)
    await this.#tell(tx, 'Created', uuid)
    return row
  }

  #fresh(uuid: string, host: NewHost): store.HostRow {
    const { name, driver, address, sshPort, username, packagesPath, description } = host
    const now = this.#clock.now()
    const isLocal = driver === 'local'
    return {
      uuid,
      name,
      description: description ?? null,
      driver,
      address,
      sshPort: isLocal ? null : (sshPort ?? 22),
      username: isLocal ? null : username,
      hostKeyFingerprint: null,
      managementNodeUuid: isLocal ? this.#nodeUuid : null,
      state: 'Enabled',
      status: 'Connecting',
      hostName: null,
      sn: null,
      manufacturer: null,
      product: null,
      system: null,
      architecture: null,
      totalCapacity: 0,
      availableCapacity: 0,
      packagesPath: packagesPath ?? null,
      isPackagesPathGiven: packagesPath === undefined ? 0 : 1,
      hostKey: null,
      sealedPrivateKey: null,
      createDate: now,
      lastOpDate: now,
    }
  }

  async get(uuid: string, from: Tx | undefined = undefined): Promise<store.HostRow> {
    const row = await store.findHost(from ?? this.#database.read, uuid)
    if (row === undefined) throw notFound('host', uuid)
    return row
  }

  /** A host that the caller may have work done on: every operation that changes something there begins with this. */
  async getForWork(uuid: string, caller: Pick<Caller, 'role'>, from?: Tx): Promise<store.HostRow> {
    const host = await this.get(uuid, from)
    requireWorkOn(host, caller)
    return host
  }

  countByStatus() {
    return store.countHosts(this.#database.read)
  }

  /** All that a machine which announces itself can be recognised by as one of the hosts. */
  recognition(): Promise<Pick<store.HostRow, 'address' | 'sn' | 'managementNodeUuid'>[]> {
    return store.recognisableHosts(this.#database.read)
  }

  /** A host that work may be sent to. */
  async usable(uuid: string): Promise<{ host: store.HostRow; driver: HostDriver }> {
    const host = await this.get(uuid)
    this.refuseUnusable(host)
    return { host, driver: await this.drivers.of(host) }
  }

  refuseUnusable(host: store.HostRow): void {
    if (host.state === 'Disabled') throw new ApiError('SYS.1005', `host ${host.name} is Disabled; it must be Enabled`)
    if (host.status !== 'Connected') throw new ApiError('HOST.1010', `host ${host.name} is ${host.status}`)
    this.refuseElsewhere(host)
  }

  /** Only the node on it can work on its own machine. */
  refuseElsewhere(host: store.HostRow): void {
    const { managementNodeUuid: node } = host
    if (node !== null && this.isElsewhere(host))
      throw new OnAnotherNode(node, `host ${host.name} is the machine of management node ${node}`)
  }

  /** Of a host that is being added: a folder that was given must be usable, the default is only found. */
  async newPackagesPath(host: store.HostRow, driver: HostDriver, signal: AbortSignal): Promise<string | null> {
    return host.isPackagesPathGiven === 0
      ? findDefaultPackagesPath(driver, signal)
      : this.usablePackagesPath(host, driver, signal)
  }

  /** Where packages from backup storage are unpacked on a host; an error unless the user there can write to it. */
  async usablePackagesPath(host: store.HostRow, driver: HostDriver, signal: AbortSignal): Promise<string> {
    const path = host.packagesPath ?? (await findDefaultPackagesPath(driver, signal))
    if (path === null) throw unknownPackagesPath(host)
    await requireWritablePackagesPath(driver, host, path, { data: this.#data, signal })
    return path
  }

  isElsewhere({ managementNodeUuid: node }: Pick<store.HostRow, 'managementNodeUuid'>): boolean {
    return node !== null && node !== this.#nodeUuid
  }

  /** Of a folder on the machine that this node runs on. */
  usageHere(path: string): Promise<Usage> {
    return this.#thisMachine.usage(path, { signal: AbortSignal.timeout(usageMs) })
  }

  async update(tx: Tx, uuid: string, change: Partial<store.HostRow>): Promise<void> {
    await store.updateHost(tx, uuid, { ...change, lastOpDate: this.#clock.now() })
    await this.#tell(tx, 'Updated', uuid)
  }

  /** Nobody else can reach the machine of a node that is gone; if it comes back, it says so itself. */
  async loseNode(tx: Tx, nodeUuid: string): Promise<void> {
    for (const { uuid } of await store.connectedOf(tx, nodeUuid))
      await this.update(tx, uuid, { status: 'Disconnected' })
  }

  async changeState(tx: Tx, uuid: string, stateEvent: 'enable' | 'disable'): Promise<store.HostRow> {
    await this.get(uuid, tx)
    await this.update(tx, uuid, { state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' })
    return this.get(uuid, tx)
  }

  /** Looks whether the host answers, and says so in its record. */
  async reconnect(uuid: string): Promise<store.HostRow> {
    const host = await this.get(uuid)
    this.refuseElsewhere(host)
    await this.drivers.forget(uuid)
    const failure = await this.#look(host, { isReconnect: true })
    if (failure) throw failure
    return this.get(uuid)
  }

  /** Every host that this node watches, once. */
  lookAtAll(): Promise<void> {
    return this.watch.round()
  }

  async #look(host: store.HostRow, { isReconnect = false } = {}): Promise<ApiError | undefined> {
    // the user of a local host is the server's own, which may be another since the last start
    const isDefault = host.isPackagesPathGiven === 0
    const isStale = isDefault && (isReconnect || host.packagesPath === null || host.driver === 'local')
    const seen = await look(
      // one program tells both: that the host runs programs, and how full it is
      async (signal) => {
        const driver = await this.drivers.of(host)
        const usage = await driver.usage('/', { signal })
        const packagesPath = isStale ? await findDefaultPackagesPath(driver, signal) : null
        return { ...usage, packagesPath: packagesPath ?? host.packagesPath }
      },
      (cause) => new ApiError('HOST.1003', `host ${host.name} did not answer`, { cause }),
    )
    if ('failure' in seen) {
      // the record is the other nodes' too; who is not sure leaves it to the next round
      if (seen.isSure && host.status !== 'Disconnected')
        await this.#database.transaction((tx) => this.update(tx, host.uuid, { status: 'Disconnected' }))
      return seen.failure
    }
    await this.#database.transaction<unknown>((tx) =>
      // capacities move all the time; only another change is worth an event
      host.status === 'Connected' && seen.answer.packagesPath === host.packagesPath
        ? store.updateHost(tx, host.uuid, seen.answer)
        : this.update(tx, host.uuid, { status: 'Connected', ...seen.answer }),
    )
    return undefined
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    await this.#remove(tx, await this.get(uuid, tx))
  }

  async #remove(tx: Tx, host: store.HostRow): Promise<void> {
    const { uuid } = host
    try {
      await store.deleteHost(tx, uuid)
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause
      throw new ApiError(
        'SYS.1004',
        `there are software packages or gateway VMs on host ${host.name}; delete them first`,
      )
    }
    await this.#tell(tx, 'Deleted', uuid)
    afterCommit(tx, () => void this.drivers.forget(uuid))
  }

  /** When adding it has failed; one that is already added, and may be in use, stays. */
  async deleteIfConnecting(tx: Tx, uuid: string): Promise<void> {
    const host = await store.findHost(tx, uuid)
    if (host?.status === 'Connecting') await this.#remove(tx, host)
  }

  #tell(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#events.record(tx, { type, resourceType: 'Host', uuid })
  }
}
