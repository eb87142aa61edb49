import { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { HostDriver } from '../hosts/driver.ts'
import type { HostService } from '../hosts/service.ts'
import { domainXml } from './hypervisor/domain-xml.ts'
import { detectLayout, type HostLayout, imagePath, makeFolder, vmFolder } from './hypervisor/host-layout.ts'
import { Libvirt } from './hypervisor/libvirt.ts'
import { copyToHost } from './images/copy-to-host.ts'
import { qcow2Overlay } from './images/qcow2-overlay.ts'
import { type Network, parseNetwork } from './machine-size.ts'
import type { MigrationService } from './service.ts'
import type { ImageRow, VmRow } from './store.ts'

export interface MachineDeps {
  readonly migration: MigrationService
  readonly hosts: HostService
  readonly backupStorage: BackupStorageService
}

interface Machine {
  readonly vm: VmRow
  readonly image: ImageRow
  readonly driver: HostDriver
  readonly layout: HostLayout
}

async function machineOf(uuid: string, { migration, hosts }: MachineDeps, signal: AbortSignal): Promise<Machine> {
  const vm = await migration.vm(uuid)
  const { driver } = await hosts.usable(vm.hostUuid)
  return { vm, image: await migration.image(vm.imageUuid ?? ''), driver, layout: await detectLayout(driver, signal) }
}

/** Runs before anything of the VM is on its host: an existing VM with its uuid is not one of Wharf. */
export async function refuseExistingVm({ signal }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { driver, layout } = await machineOf(uuid, deps, signal)
  const known = (await hypervisorOn(driver, layout).list({ signal })).get(uuid)
  if (known !== undefined)
    throw new ApiError('SYS.1002', `libvirt on the host already has a VM with the uuid ${uuid}: ${known.name}`)
}

/** Copies the image that the VM boots from to its host, unless the host has it. */
export async function copyImage(context: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { signal, log, progress, write } = context
  const { vm, image, driver: host, layout } = await machineOf(uuid, deps, signal)
  const path = imagePath(layout, image)
  const partialPath = `${vmFolder(layout, uuid)}/image`
  // recorded before the copy starts, so that the removal of the package finds it
  await write((tx) => deps.migration.recordCopy(tx, { imageUuid: image.uuid, hostUuid: vm.hostUuid, path }))
  const { installPath, backupStorageUuid } = await deps.migration.referenceOf(image.uuid)
  const { driver: storage } = await deps.backupStorage.usable(backupStorageUuid)
  await copyToHost({ ...image, installPath }, { storage, host, path, partialPath, signal, log, progress })
}

/** Creates the overlay of the VM. Until libvirt has the VM, an existing disk is of an earlier attempt and is replaced. */
export async function createDisk({ signal }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { image, driver, layout } = await machineOf(uuid, deps, signal)
  if ((await hypervisorOn(driver, layout).list({ signal })).has(uuid)) return
  const folder = vmFolder(layout, uuid)
  await driver.remove(folder, { signal })
  await makeFolder(driver, folder, signal)
  if (image.format === 'iso') return
  const overlay = qcow2Overlay({ path: imagePath(layout, image), format: image.format, size: image.size })
  await driver.put(Readable.from([overlay]), diskPath(folder), { signal })
}

export async function startMachine({ signal, log }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { vm, image, driver, layout } = await machineOf(uuid, deps, signal)
  const folder = vmFolder(layout, uuid)
  const hypervisor = hypervisorOn(driver, layout)
  const xml = domainXml({
    ...vm,
    network: networkOf(vm, layout),
    boot:
      image.format === 'iso'
        ? { path: imagePath(layout, image), device: 'cdrom' }
        : { path: diskPath(folder), device: 'disk' },
    consoleLog: `${folder}/console.log`,
    hasKvm: layout.hasKvm,
  })
  log(`starting ${vm.name} with ${layout.uri}${layout.hasKvm ? '' : ', without KVM'}`)
  await hypervisor.define(xml, { signal })
  await hypervisor.start(uuid, { signal })
}

/** Removes the VM and its files from its host; succeeds when none exist. */
export async function removeMachine({ signal, log }: JobContext, { hosts }: MachineDeps, vm: VmRow): Promise<void> {
  const driver = await hosts.drivers.of(await hosts.get(vm.hostUuid))
  const layout = await detectLayout(driver, signal)
  if (!(await hypervisorOn(driver, layout).remove(vm.uuid, { signal })))
    log(`libvirt has a VM with the uuid ${vm.uuid} that Wharf did not create; it is left unchanged`)
  await driver.remove(vmFolder(layout, vm.uuid), { signal })
}

/** Removes the images that no VM needs any more. The copy on an unreachable host stays, which is logged. */
export async function removeCopies(
  { signal, log, write }: JobContext,
  { migration, hosts }: MachineDeps,
  packageUuid: string,
): Promise<void> {
  for (const copy of await migration.copies(packageUuid)) {
    try {
      const { driver } = await hosts.usable(copy.hostUuid)
      await driver.remove(copy.path, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      log(`an image remains at ${copy.path} of host ${copy.hostUuid}: ${error.code} ${error.message}`)
    }
    await write((tx) => migration.removeCopy(tx, copy))
  }
}

const diskPath = (folder: string): string => `${folder}/disk.qcow2`

const hypervisorOn = (driver: HostDriver, { uri }: HostLayout) => new Libvirt(driver, uri)

/** Only root may connect a VM to a network of the host. */
function networkOf({ network }: VmRow, { uri }: HostLayout): Network {
  if (network !== null) return parseNetwork(network)
  return uri === 'qemu:///system' ? { kind: 'network', name: 'default' } : { kind: 'user' }
}
