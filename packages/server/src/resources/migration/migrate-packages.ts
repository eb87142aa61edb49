import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type {
  Installation,
  PackageKind,
  PackageRow,
  SoftwarePackageService,
  StoredPackage,
} from '../software-packages/service.ts'
import { type ImageRecords, imageFolder, imageRecords, takeImages } from './images/package-images.ts'
import { bringImage, type MachineDeps, makeDisk, removeCopies, removeMachine, startMachine } from './machine.ts'
import { machineSize } from './machine-size.ts'
import type { VmRow } from './store.ts'

interface Deps extends MachineDeps {
  readonly packages: SoftwarePackageService
  readonly clock: { now(): number }
}

/** What a package of type Migrate is: the images of the gateway, and by being installed the VM that manages it. */
export class MigratePackages implements PackageKind {
  readonly type = 'Migrate'
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async claim(tx: Tx, { uuid }: PackageRow): Promise<void> {
    const { migration, packages } = this.#deps
    const first = await migration.heldPackage(tx)
    const before = first === undefined ? undefined : await packages.get(first, tx)
    if (before !== undefined && before.status !== 'UploadFailed') throw another(before.name)
    if (!(await migration.takeSlot(tx, uuid, before?.uuid))) throw another('another one')
  }

  unpack(context: JobContext, stored: StoredPackage): Promise<object> {
    return takeImages(context, stored)
  }

  async removeUnpacked({ signal }: JobContext, row: PackageRow): Promise<void> {
    const { backupStorage } = this.#deps
    const driver = await backupStorage.drivers.of(await backupStorage.get(row.backupStorageUuid ?? ''))
    for (const path of imageFolder(row)) await driver.remove(path, { signal })
  }

  async stored(tx: Tx, row: PackageRow, unpacked: object): Promise<void> {
    const { images, references } = imageRecords(row, unpacked as ImageRecords, this.#deps.clock.now())
    await this.#deps.migration.rememberImages(tx, images, references)
  }

  async checkInstallation({ row, config }: Installation): Promise<void> {
    machineSize(configOf(config))
    await this.#deps.migration.gatewayImage(row)
  }

  /** A VM of an installation that has failed, and could not be removed then, is removed now, unless it is the same. */
  async install(context: JobContext, installation: Installation): Promise<void> {
    const before = await this.#managing(installation.row)
    const isSame = before !== undefined && isAsConfigured(before, installation)
    if (before !== undefined && !isSame) await this.#remove(context, before)
    const vm = isSame ? before : await this.#record(context, installation)
    context.log(`the management VM is ${vm.uuid}`)
    await bringImage(context, this.#deps, vm.uuid)
    await makeDisk(context, this.#deps, vm.uuid)
    await startMachine(context, this.#deps, vm.uuid)
  }

  #record(context: JobContext, { row, hostUuid, config }: Installation): Promise<VmRow> {
    const { migration } = this.#deps
    const size = machineSize(configOf(config))
    const vm = { uuid: newUuid(), role: 'management' as const, hostUuid, packageUuid: row.uuid, ...size }
    const description = `Manages the migration gateway of software package ${row.name}`
    return context.write(async (tx) => {
      const { uuid: imageUuid } = await migration.gatewayImage(row, tx)
      // the transaction may happen twice
      const there = (await migration.vmsOf(row.uuid, tx)).find(({ role }) => role === 'management')
      return there ?? migration.createVm(tx, { ...vm, name: row.name, description, imageUuid })
    })
  }

  async installed(tx: Tx, row: PackageRow): Promise<void> {
    const { migration } = this.#deps
    for (const { uuid, role } of await migration.vmsOf(row.uuid, tx))
      if (role === 'management') await migration.vmIsReady(tx, uuid)
  }

  async uninstall(context: JobContext, row: PackageRow): Promise<void> {
    const managing = await this.#managing(row)
    if (managing !== undefined) await this.#remove(context, managing)
    await removeCopies(context, this.#deps, row.uuid)
  }

  async hostsOf({ uuid }: PackageRow, from?: Tx): Promise<readonly string[]> {
    const { migration } = this.#deps
    const places = [...(await migration.vmsOf(uuid, from)), ...(await migration.copies(uuid, from))]
    return [...new Set(places.map(({ hostUuid }) => hostUuid))]
  }

  forgetVanished({ uuid }: PackageRow): Promise<void> {
    return this.#deps.migration.forgetVanished(uuid)
  }

  async refuseInUse(tx: Tx, row: PackageRow, doing: 'uninstall' | 'delete'): Promise<void> {
    const { migration } = this.#deps
    await migration.heldPackage(tx)
    const vms = await migration.vmsOf(row.uuid, tx)
    const gateway = vms.find(({ role }) => role === 'gateway')
    const code = doing === 'delete' ? 'SYS.1004' : 'SYS.1006'
    if (gateway)
      throw new ApiError(code, `gateway VM ${gateway.name} runs by software package ${row.name}; delete it first`)
    if (doing === 'delete' && vms.length > 0)
      throw new ApiError(code, `software package ${row.name} has its management VM; uninstall it first`)
  }

  async removeAll(context: JobContext, row: PackageRow): Promise<void> {
    const failures: unknown[] = []
    for (const vm of await this.#deps.migration.vmsOf(row.uuid))
      await this.#remove(context, vm).catch((error: unknown) => void failures.push(error))
    context.signal.throwIfAborted()
    await removeCopies(context, this.#deps, row.uuid)
    if (failures.length > 0) throw failures[0]
  }

  /** What is still recorded then could not be removed. */
  async deleted(tx: Tx, row: PackageRow): Promise<void> {
    for (const { uuid } of await this.#deps.migration.vmsOf(row.uuid, tx)) await this.#deps.migration.deleteVm(tx, uuid)
  }

  async #managing({ uuid }: PackageRow): Promise<VmRow | undefined> {
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

const another = (name: string): ApiError =>
  new ApiError('SYS.1002', `there is a package of type Migrate already, ${name}; there can be one only`)
