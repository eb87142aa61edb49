import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type {
  Installation,
  PackageKind,
  PackageRow,
  SoftwarePackageService,
  StoredPackage,
} from '../software-packages/service.ts'
import { extractImages, type ImageRecords, imagePaths, imageRecords } from './images/package-images.ts'
import { copyImage, createDisk, type MachineDeps, removeCopies, removeMachine, startMachine } from './machine.ts'
import { machineSize } from './machine-size.ts'
import type { VmRow } from './store.ts'

interface MigratePackageDeps extends MachineDeps {
  readonly packages: SoftwarePackageService
  readonly clock: { now(): number }
}

/** Packages of type Migrate contain the images of the gateway; their installation creates its management VM. */
export class MigratePackages implements PackageKind {
  readonly type = 'Migrate'
  readonly #deps: MigratePackageDeps

  constructor(deps: MigratePackageDeps) {
    this.#deps = deps
  }

  async claim(tx: Tx, { uuid }: PackageRow): Promise<void> {
    const { migration, packages } = this.#deps
    const packageUuid = await migration.lockPackage(tx)
    const previous = packageUuid === undefined ? undefined : await packages.get(packageUuid, tx)
    if (previous !== undefined && previous.status !== 'UploadFailed') throw slotTaken(previous.name)
    if (!(await migration.takeSlot(tx, uuid, previous?.uuid))) throw slotTaken('another one')
  }

  unpack(context: JobContext, stored: StoredPackage): Promise<object> {
    return extractImages(context, stored)
  }

  async removeUnpacked({ signal }: JobContext, row: PackageRow): Promise<void> {
    const { backupStorage } = this.#deps
    const driver = await backupStorage.drivers.of(await backupStorage.get(row.backupStorageUuid ?? ''))
    for (const path of imagePaths(row)) await driver.remove(path, { signal })
  }

  async stored(tx: Tx, row: PackageRow, unpacked: object): Promise<void> {
    const { images, references } = imageRecords(row, unpacked as ImageRecords, this.#deps.clock.now())
    await this.#deps.migration.insertImages(tx, images, references)
  }

  async checkInstallation({ row, config }: Installation): Promise<void> {
    machineSize(configOf(config))
    await this.#deps.migration.gatewayImage(row)
  }

  /** A VM that a failed installation could not remove is reused when its configuration is the same, otherwise removed. */
  async install(context: JobContext, installation: Installation): Promise<void> {
    const previous = await this.#managementVm(installation.row)
    const isSame = previous !== undefined && isAsConfigured(previous, installation)
    if (previous !== undefined && !isSame) await this.#remove(context, previous)
    const vm = isSame ? previous : await this.#record(context, installation)
    context.log(`the management VM is ${vm.uuid}`)
    await copyImage(context, this.#deps, vm.uuid)
    await createDisk(context, this.#deps, vm.uuid)
    await startMachine(context, this.#deps, vm.uuid)
  }

  #record(context: JobContext, { row, hostUuid, config }: Installation): Promise<VmRow> {
    const { migration } = this.#deps
    const size = machineSize(configOf(config))
    const vm = { uuid: newSequentialUuid(), role: 'management' as const, hostUuid, packageUuid: row.uuid, ...size }
    const description = `Manages the migration gateway of software package ${row.name}`
    return context.write(async (tx) => {
      const { uuid: imageUuid } = await migration.gatewayImage(row, tx)
      // the transaction may run twice
      const existing = (await migration.vmsOf(row.uuid, tx)).find(({ role }) => role === 'management')
      return existing ?? migration.createVm(tx, { ...vm, name: row.name, description, imageUuid })
    })
  }

  async installed(tx: Tx, row: PackageRow): Promise<void> {
    const { migration } = this.#deps
    for (const { uuid, role } of await migration.vmsOf(row.uuid, tx))
      if (role === 'management') await migration.markVmReady(tx, uuid)
  }

  async uninstall(context: JobContext, row: PackageRow): Promise<void> {
    const managementVm = await this.#managementVm(row)
    if (managementVm !== undefined) await this.#remove(context, managementVm)
    await removeCopies(context, this.#deps, row.uuid)
  }

  async hostsOf({ uuid }: PackageRow, from?: Tx): Promise<readonly string[]> {
    const { migration } = this.#deps
    const located = [...(await migration.vmsOf(uuid, from)), ...(await migration.copies(uuid, from))]
    return [...new Set(located.map(({ hostUuid }) => hostUuid))]
  }

  removeVanished({ uuid }: PackageRow): Promise<void> {
    return this.#deps.migration.removeVanished(uuid)
  }

  async refuseInUse(tx: Tx, row: PackageRow, doing: 'uninstall' | 'delete'): Promise<void> {
    const { migration } = this.#deps
    await migration.lockPackage(tx)
    const vms = await migration.vmsOf(row.uuid, tx)
    const gateway = vms.find(({ role }) => role === 'gateway')
    const code = doing === 'delete' ? 'SYS.1004' : 'SYS.1006'
    if (gateway)
      throw new ApiError(code, `gateway VM ${gateway.name} uses software package ${row.name}; delete it first`, {
        mentions: [{ uuid: gateway.uuid, text: gateway.name }],
      })
    if (doing === 'delete' && vms.length > 0)
      throw new ApiError(code, `software package ${row.name} still has its management VM; uninstall it first`)
  }

  async removeAll(context: JobContext, row: PackageRow): Promise<void> {
    const failures: unknown[] = []
    for (const vm of await this.#deps.migration.vmsOf(row.uuid))
      await this.#remove(context, vm).catch((error: unknown) => void failures.push(error))
    context.signal.throwIfAborted()
    await removeCopies(context, this.#deps, row.uuid)
    if (failures.length > 0) throw failures[0]
  }

  /** A VM that is still recorded could not be removed from its host. */
  async deleted(tx: Tx, row: PackageRow): Promise<void> {
    for (const { uuid } of await this.#deps.migration.vmsOf(row.uuid, tx)) await this.#deps.migration.deleteVm(tx, uuid)
  }

  async #managementVm({ uuid }: PackageRow): Promise<VmRow | undefined> {
    return (await this.#deps.migration.vmsOf(uuid)).find(({ role }) => role === 'management')
  }

  async #remove(context: JobContext, vm: VmRow): Promise<void> {
    await removeMachine(context, this.#deps, vm)
    await context.write((tx) => this.#deps.migration.deleteVm(tx, vm.uuid))
  }
}

function isAsConfigured(vm: VmRow, { hostUuid, config }: Installation): boolean {
  const { cpu, memoryBytes, network } = machineSize(configOf(config))
  return vm.hostUuid === hostUuid && vm.cpu === cpu && vm.memoryBytes === memoryBytes && vm.network === network
}

const configOf = (config: unknown): { readonly [name: string]: unknown } =>
  typeof config === 'object' && config !== null ? (config as { readonly [name: string]: unknown }) : {}

const slotTaken = (name: string): ApiError =>
  new ApiError('SYS.1002', `a package of type Migrate already exists, ${name}; only one is allowed`)
