import type { Readable } from 'node:stream'
import type { AnswerOf, getMigrateImages, getMigrateVmInstances, Recorded } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { ResourceType } from '@wharf/database/tables.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import type { Images, Outbox } from '../../events/outbox.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { HostService } from '../hosts/service.ts'
import type { TagService } from '../tags/service.ts'
import { ExportAddress } from './export/export-address.ts'
import { imageInventories } from './image-inventories.ts'
import { type CopyRow, type ImageRow, MigrationStore, type ReferenceRow, type VmRow } from './store.ts'
import { queryVmStates } from './vm-states.ts'

export const vmResourceType = 'GatewayVmInstance'
const imageResourceType = 'MigrateImage'

export interface ExportedImage extends ImageRow {
  /** The name that the download suggests. */
  readonly fileName: string
  read(range: { start: number; end: number; signal: AbortSignal }): Readable
}

interface MigrationDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly sealing: Sealing
  readonly ownAddress: ServerAddress
  readonly hosts: HostService
  readonly backupStorage: BackupStorageService
  readonly tags: TagService
}

type Vms = Recorded<AnswerOf<typeof getMigrateVmInstances>>

/** The records of the gateway, joined with the current state of storages and hypervisors. */
export class MigrationService {
  readonly #deps: MigrationDeps
  readonly #store: MigrationStore
  readonly #addresses: ExportAddress

  constructor(deps: MigrationDeps) {
    this.#deps = deps
    this.#store = new MigrationStore(deps.database)
    this.#addresses = new ExportAddress(deps.sealing)
  }

  /** The images of the current package, by their key. */
  async images(): Promise<Recorded<AnswerOf<typeof getMigrateImages>>> {
    const { clock, ownAddress } = this.#deps
    const slot = await this.#store.findSlot()
    const rows = slot ? await this.#store.listImages(slot.packageUuid) : []
    const references = await this.#store.listReferences(rows.map(({ uuid }) => uuid))
    const addressOf = (uuid: string) => `${ownAddress.url}${this.#addresses.pathOf(uuid, clock.now())}`
    return { images: await imageInventories(rows, references, { ...this.#deps, addressOf }) }
  }

  async image(uuid: string): Promise<ImageRow> {
    const row = await this.#store.findImage(uuid)
    if (row === undefined) throw notFound('image', uuid)
    return row
  }

  /** The image that gateway VMs boot from. */
  async gatewayImage({ uuid, name }: { uuid: string; name: string }, from?: Tx): Promise<ImageRow> {
    const rows = await this.#store.listImages(uuid, from)
    const image = rows.find(({ key }) => key === 'GatewayImage')
    if (image) return image
    throw new ApiError('SoftwarePackage.1132', `software package ${name} has no GatewayImage to create a VM from`)
  }

  async referenceOf(imageUuid: string): Promise<ReferenceRow> {
    const [reference] = await this.#store.listReferences([imageUuid])
    if (reference === undefined) throw notFound('image', imageUuid)
    return reference
  }

  /** Requires a signed address that has not expired. */
  async openExport(uuid: string, query: URLSearchParams): Promise<ExportedImage> {
    const { backupStorage, clock } = this.#deps
    const validity = this.#addresses.verify(uuid, query, clock.now())
    if (validity === 'unknown') throw new ApiError('SYS.1003', 'no image exists at this address')
    if (validity === 'expired')
      throw new ApiError('ID.1002', 'this address has expired after one day; list the images again')
    const image = await this.image(uuid)
    const { installPath, backupStorageUuid } = await this.referenceOf(uuid)
    const { driver, row } = await backupStorage.usable(backupStorageUuid)
    const signal = AbortSignal.timeout(probeMs)
    if (!(await driver.exists(installPath, { signal })))
      throw new ApiError('SYS.1003', `the image ${image.name} is missing on backup storage ${row.name}`)
    const fileName = image.name.replaceAll(/[^A-Za-z0-9._-]/g, '_')
    return { ...image, fileName, read: (range) => driver.get(installPath, range) }
  }

  async insertImages(tx: Tx, images: readonly ImageRow[], references: readonly ReferenceRow[]) {
    await this.#store.insertImages(tx, images, references)
    for (const row of images)
      await this.#publish(tx, 'Created', imageResourceType, row.uuid, { before: null, after: { ...row } })
  }

  /** The VMs that their hypervisor has, and those whose host is unreachable. */
  async vms({ isRelayed }: { isRelayed: boolean }): Promise<Vms> {
    const rows = await this.#store.listVms()
    if (!isRelayed) await this.#requireThisNode(rows)
    const states = await queryVmStates(rows, this.#deps.hosts)
    const shown = rows.flatMap((row) => {
      const state = states.get(row.uuid)
      return state === undefined || (state === 'Unknown' && row.status === 'Creating') ? [] : [{ ...row, state }]
    })
    const management = shown.find(({ role }) => role === 'management')
    return { managementVmInstanceUuid: management?.uuid ?? null, gatewayVmInstances: shown }
  }

  /** Only a node can query its own machine. When several nodes have VMs, each returns its own. */
  async #requireThisNode(vms: readonly VmRow[]): Promise<void> {
    const { hosts } = this.#deps
    const rows = await Promise.all([...new Set(vms.map(({ hostUuid }) => hostUuid))].map((uuid) => hosts.get(uuid)))
    const machines = rows.filter(({ managementNodeUuid: node, status }) => node !== null && status === 'Connected')
    if (new Set(machines.map(({ managementNodeUuid: node }) => node)).size === 1)
      for (const machine of machines) hosts.requireThisNode(machine)
  }

  async vm(uuid: string, from?: Tx): Promise<VmRow> {
    const row = await this.findVm(uuid, from)
    if (row === undefined) throw notFound('gateway VM', uuid)
    return row
  }

  findVm(uuid: string, from?: Tx): Promise<VmRow | undefined> {
    return this.#store.findVm(uuid, from)
  }

  vmsOf(packageUuid: string, from?: Tx): Promise<VmRow[]> {
    return this.#store.listVms(packageUuid, from)
  }

  /** The record exists before anything is on the host. */
  async createVm(tx: Tx, vm: Omit<VmRow, 'status' | 'createDate' | 'lastOpDate'>): Promise<VmRow> {
    const now = this.#deps.clock.now()
    const row: VmRow = { ...vm, status: 'Creating', createDate: now, lastOpDate: now }
    if (!(await this.#store.insertVm(tx, row)))
      throw new ApiError('SYS.1002', `a gateway VM with the uuid ${vm.uuid} already exists`)
    await this.#publish(tx, 'Created', vmResourceType, vm.uuid, { before: null, after: { ...row } })
    return row
  }

  async markVmReady(tx: Tx, uuid: string): Promise<void> {
    const before = await this.vm(uuid, tx)
    const change = { status: 'Ready', lastOpDate: this.#deps.clock.now() } as const
    await this.#store.updateVm(tx, uuid, change)
    await this.#publish(tx, 'Updated', vmResourceType, uuid, { before: { ...before }, after: { ...before, ...change } })
  }

  async deleteVm(tx: Tx, uuid: string): Promise<void> {
    const hostLabels = await this.#deps.events.hostLabelsOf(tx, vmResourceType, uuid)
    const row = await this.#store.removeVm(tx, uuid)
    if (row === undefined) return
    await this.#deps.tags.detachAll(tx, uuid)
    await this.#publish(tx, 'Deleted', vmResourceType, uuid, { before: { ...row }, after: null, hostLabels })
  }

  /** A VM that was removed outside Wharf must not block the package any more. */
  async removeVanished(packageUuid: string): Promise<void> {
    const rows = (await this.vmsOf(packageUuid)).filter(({ status }) => status === 'Ready')
    const states = await queryVmStates(rows, this.#deps.hosts)
    const vanished = rows.filter(({ uuid }) => !states.has(uuid))
    if (vanished.length === 0) return
    await this.#deps.database.transaction(async (tx) => {
      for (const { uuid } of vanished) await this.deleteVm(tx, uuid)
    })
  }

  /** The package of the gateway, which stays locked until the end of the transaction. */
  async lockPackage(tx: Tx): Promise<string | undefined> {
    await this.#store.lockSlot(tx, this.#deps.clock.now())
    return (await this.#store.findSlot(tx))?.packageUuid
  }

  takeSlot(tx: Tx, packageUuid: string, insteadOf?: string): Promise<boolean> {
    return this.#store.takeSlot(tx, packageUuid, this.#deps.clock.now(), insteadOf)
  }

  async recordCopy(tx: Tx, copy: Omit<CopyRow, 'createDate'>): Promise<void> {
    await this.#store.insertCopy(tx, { ...copy, createDate: this.#deps.clock.now() })
  }

  copies(packageUuid: string, from?: Tx): Promise<CopyRow[]> {
    return this.#store.listCopies(packageUuid, from)
  }

  async removeCopy(tx: Tx, copy: CopyRow): Promise<void> {
    await this.#store.removeCopy(tx, copy)
  }

  #publish(
    tx: Tx,
    type: string,
    resourceType: ResourceType,
    uuid: string,
    images: Images & { readonly hostLabels?: string | null },
  ): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType, uuid, ...images })
  }
}

/** A storage that does not answer within this time is unreachable. */
const probeMs = 5000
