import { statfsSync } from 'node:fs'
import { arch, hostname, release, type as system } from 'node:os'
import { HostInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { notFound } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { fetchHostKeys } from '@wharf/ssh/fetch-host-key.ts'
import { checkedFingerprint, fingerprintOf, typeOf } from '@wharf/ssh/host-key.ts'
import { readPrivateKey } from '@wharf/ssh/private-key.ts'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import { checkAddress, checkedTarget } from '@wharf/ssh/target.ts'
import type { Caller } from '../../calls/caller.ts'
import type { SystemEventRecorder } from '../../events/system-event.ts'
import { type ConnectionStatusDeps, RecordsWithConnectionStatus } from '../../records/connection-status.ts'
import type { HostDriver, Usage } from './driver.ts'
import { type HostDrivers, hostDrivers, privateKeyContext } from './drivers.ts'
import { type ConnectionChange, type HostChange, untestedColumns } from './host-change.ts'
import { isHostInScope, labelsOf, labelText } from './host-labels.ts'
import { HostMetrics } from './host-metrics.ts'
import { HostProbeSchedule } from './host-probe-schedule.ts'
import { HostSelection } from './host-selection.ts'
import { openLocalDriver } from './local-driver.ts'
import {
  checkedPackagesPath,
  defaultPackagesPath,
  findDefaultPackagesPath,
  requireWritablePackagesPath,
  unknownPackagesPath,
} from './packages-path.ts'
import { requireWorkOn } from './server-machine.ts'
import { type HostRow, HostStore, type Labels } from './store.ts'

export { isHostInScope } from './host-labels.ts'
export type { SelectedHost } from './host-selection.ts'
export { canWorkOn, requireWorkOn } from './server-machine.ts'
export { hostsElsewhere } from './store.ts'
export type { HostRow }

export interface NewHost {
  name: string
  driver: 'ssh' | 'local'
  address: string
  sshPort?: number | undefined
  username: string
  privateKey?: string | undefined
  hostKeyFingerprint?: string | undefined
  packagesPath?: string | undefined
  labels?: Labels | undefined
  description?: string | undefined
  resourceUuid?: string | undefined
}

/** A file system that does not answer within this time is unavailable. */
const usageMs = 5000
/** Longer than an attempt to connect; a person waits for the answer. */
const keysMs = 20_000

interface HostDeps extends ConnectionStatusDeps {
  readonly sealing: Sealing
  readonly systemEvents: SystemEventRecorder
  readonly settings: { readonly data: string; readonly timezone: string }
}

export class HostService extends RecordsWithConnectionStatus<HostRow, HostDriver> {
  readonly drivers: HostDrivers
  readonly probeSchedule: HostProbeSchedule
  readonly metrics: HostMetrics
  readonly selection: HostSelection
  readonly #deps: HostDeps
  readonly #store: HostStore
  readonly #thisMachine: HostDriver

  constructor(deps: HostDeps) {
    super(deps, {
      inventory: HostInventory,
      unusableCode: 'HOST.1010',
      unreachableCode: 'HOST.1003',
      partOfNode: 'the machine',
      users: 'software packages or gateway VMs',
    })
    this.#deps = deps
    this.#store = new HostStore(deps.database)
    const { sealing, settings } = deps
    this.#thisMachine = openLocalDriver(settings.data)
    this.drivers = hostDrivers({ sealing, data: settings.data })
    this.metrics = new HostMetrics(deps)
    this.selection = new HostSelection({ ...deps, store: this.#store })
    const probe = (host: HostRow) => this.probe(host, { isThorough: false })
    this.probeSchedule = new HostProbeSchedule({ ...deps, store: this.#store, drivers: this.drivers, probe })
  }

  /** At the first start of a node: its machine. */
  async registerThisMachine(tx: Tx, nodeUuid: string): Promise<string> {
    const existing = await this.#store.findLocal(nodeUuid, tx)
    if (existing) return existing.uuid
    const { blocks, bavail, bsize } = statfsSync('/')
    const row = {
      ...this.#newRow(newSequentialUuid(), { name: 'this-node', driver: 'local', address: '127.0.0.1', username: '' }),
      description: 'The machine that this management node runs on',
      managementNodeUuid: nodeUuid,
      status: 'Connected' as const,
      hostName: hostname(),
      system: `${system()} ${release()}`,
      architecture: arch(),
      totalCapacity: blocks * bsize,
      availableCapacity: bavail * bsize,
      // not from os, which throws for a user without a name; the first probe finds what is unknown here
      packagesPath: defaultPackagesPath({ uid: process.getuid?.() ?? Number.NaN, home: process.env.HOME ?? '' }),
    }
    await this.insert(tx, row)
    return row.uuid
  }

  findThisMachine(): Promise<HostRow | undefined> {
    return this.#store.findLocal(this.nodeUuid)
  }

  /** Refuses invalid fields; returns what to create. */
  async check(given: NewHost): Promise<NewHost> {
    const isLocal = given.driver === 'local'
    const host =
      given.packagesPath === undefined
        ? given
        : { ...given, packagesPath: checkedPackagesPath(given.packagesPath, isLocal ? [this.#deps.settings.data] : []) }
    if (isLocal) {
      checkAddress(host.address)
      return host
    }
    checkedTarget({ address: host.address, port: host.sshPort ?? 22, username: host.username })
    if (host.hostKeyFingerprint !== undefined) checkedFingerprint(host.hostKeyFingerprint)
    if (host.privateKey === undefined) return host
    // in the format of ssh; a form may have changed it
    return { ...host, privateKey: (await readPrivateKey(host.privateKey)).privateKey.reveal() }
  }

  /** The keys of a machine, which need not be a host. It signs in nowhere and stores nothing. */
  async fetchKeys(address: string, port = 22): Promise<{ type: string; fingerprint: string }[]> {
    const target = { address, port, username: 'root' }
    const keys = await fetchHostKeys(target, { signal: AbortSignal.timeout(keysMs) })
    return keys.map((key) => ({ type: typeOf(key), fingerprint: fingerprintOf(key) }))
  }

  /** Creates the record of a host that is being added. */
  async create(tx: Tx, host: NewHost): Promise<HostRow> {
    const uuid = host.resourceUuid ?? newSequentialUuid()
    const row = { ...this.#newRow(uuid, host), sealedPrivateKey: this.#sealedKey(uuid, host.privateKey) }
    await this.insert(tx, row)
    await this.#store.replaceLabels(tx, row, host.labels ?? {})
    return row
  }

  #sealedKey(uuid: string, privateKey: string | null | undefined): Uint8Array | null {
    return privateKey ? this.#deps.sealing.seal(privateKey, privateKeyContext(uuid)) : null
  }

  /** The columns of another connection, but for the pinned key. */
  connectionColumns({ uuid }: HostRow, { hostKeyFingerprint: _, privateKey, ...columns }: ConnectionChange) {
    return {
      ...(columns as Partial<HostRow>),
      ...(privateKey === undefined ? {} : { sealedPrivateKey: this.#sealedKey(uuid, privateKey) }),
    }
  }

  /** Whether this is the key of the host. */
  signsInWith({ uuid, sealedPrivateKey }: HostRow, privateKey: string): boolean {
    if (sealedPrivateKey === null) return false
    return this.#deps.sealing.open(sealedPrivateKey, privateKeyContext(uuid)) === privateKey
  }

  /** Of the key with which it signs in: its own, or that of this server. */
  async publicKeyOf({ uuid, sealedPrivateKey }: HostRow): Promise<string> {
    const { sealing, settings } = this.#deps
    const pair =
      sealedPrivateKey === null
        ? await ensureServerKey(settings.data)
        : await readPrivateKey(sealing.open(sealedPrivateKey, privateKeyContext(uuid)))
    return pair.publicKey
  }

  /** Other hosts at this address sign in with the key of this server. */
  sharesServerKey(host: HostRow): Promise<boolean> {
    return this.#store.hasOtherWithServerKey(host)
  }

  /** Stores what was checked; `columns` are those of a connection that works. */
  async change(tx: Tx, uuid: string, change: HostChange, columns: Partial<HostRow> = {}): Promise<HostRow> {
    // locks the row, so that of two changes of labels at once neither is lost
    if (!(await this.write(tx, uuid, { lastOpDate: this.clock.now() }))) throw notFound(this.label, uuid)
    const host = await this.get(uuid, tx)
    const untested = untestedColumns(host, change)
    await this.update(tx, uuid, { ...columns, ...untested })
    const { labels } = untested
    if (labels !== undefined) await this.#store.replaceLabels(tx, host, labelsOf({ labels }))
    const row = await this.get(uuid, tx)
    if (host.status === 'Disconnected' && row.status === 'Connected') await this.statusChanged(tx, row)
    return row
  }

  #newRow(uuid: string, host: NewHost): HostRow {
    const { name, driver, address, sshPort, username, packagesPath, labels, description } = host
    const now = this.clock.now()
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
      managementNodeUuid: isLocal ? this.nodeUuid : null,
      state: 'Enabled',
      status: 'Connecting',
      errorCode: null,
      errorDetails: null,
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
      labels: labelText(labels),
      createDate: now,
      lastOpDate: now,
    }
  }

  /** Refuses a caller who may not change anything on the host; outside its scope there is no such host. */
  async getForWork(uuid: string, caller: Pick<Caller, 'role' | 'scope'>, from?: Tx): Promise<HostRow> {
    const host = await this.get(uuid, from)
    if (!isHostInScope(host, caller)) throw notFound(this.label, uuid)
    requireWorkOn(host, caller)
    return host
  }

  countByStatus() {
    return this.#store.countByStatus()
  }

  /** The columns that identify a machine that announces itself as one of the hosts. */
  listIdentities(): Promise<Pick<HostRow, 'address' | 'sn' | 'managementNodeUuid' | 'labels'>[]> {
    return this.#store.listIdentities()
  }

  /** Of a host that is being added: a given folder must be usable, a default is only determined. */
  async newPackagesPath(host: HostRow, driver: HostDriver, signal: AbortSignal): Promise<string | null> {
    return host.isPackagesPathGiven === 0
      ? findDefaultPackagesPath(driver, signal)
      : this.usablePackagesPath(host, driver, signal)
  }

  /** The folder for packages from backup storage; throws unless the user on the host can write to it. */
  async usablePackagesPath(host: HostRow, driver: HostDriver, signal: AbortSignal): Promise<string> {
    const path = host.packagesPath ?? (await findDefaultPackagesPath(driver, signal))
    if (path === null) throw unknownPackagesPath(host)
    await requireWritablePackagesPath(driver, host, path, { data: this.#deps.settings.data, signal })
    return path
  }

  /** Of a folder on the machine of this node. */
  usageHere(path: string): Promise<Usage> {
    return this.#thisMachine.usage(path, { signal: AbortSignal.timeout(usageMs) })
  }

  probeAll(): Promise<void> {
    return this.probeSchedule.run()
  }

  protected override statusChanged(tx: Tx, { uuid, name, address, status, errorCode, errorDetails }: HostRow) {
    return this.#deps.systemEvents.record(tx, {
      event: status === 'Connected' ? 'HostConnected' : 'HostDisconnected',
      resource: { type: 'Host', uuid, name },
      target: address,
      reason: errorCode && `${errorCode} ${errorDetails ?? ''}`,
    })
  }

  /** One program shows that the host runs programs, and measures it. */
  protected async query(host: HostRow, signal: AbortSignal, { isThorough }: { isThorough: boolean }) {
    // the user of a local host is the server's own, which may be another since the last start
    const isDefault = host.isPackagesPathGiven === 0
    const isStale = isDefault && (isThorough || host.packagesPath === null || host.driver === 'local')
    const driver = await this.drivers.of(host)
    const measurement = await driver.measure(host.packagesPath, { signal })
    const packagesPath = isStale ? await findDefaultPackagesPath(driver, signal) : null
    return {
      columns: { ...measurement.disk, packagesPath: packagesPath ?? host.packagesPath },
      store: (tx: Tx) => this.metrics.record(tx, host.uuid, measurement),
    }
  }
}
