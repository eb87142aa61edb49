import { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { HostDriver } from '../hosts/driver.ts'
import type { HostService } from '../hosts/service.ts'
import { domainXml } from './hypervisor/domain-xml.ts'
import { type HostPlace, imagePath, makeFolder, placeOn, vmFolder } from './hypervisor/host-place.ts'
import { Libvirt } from './hypervisor/libvirt.ts'
import { copyToHost } from './images/copy-to-host.ts'
import { qcow2Overlay } from './images/qcow2-overlay.ts'
import { type Network, parseNetwork } from './machine-size.ts'
import type { MigrationService } from './service.ts'
import type { ImageRow, VmRow } from './store.ts'

/** What it takes to make VMs and to remove them. */
export interface MachineDeps {
  readonly migration: MigrationService
  readonly hosts: HostService
  readonly backupStorage: BackupStorageService
}

interface Machine {
  readonly vm: VmRow
  readonly image: ImageRow
  readonly driver: HostDriver
  readonly place: HostPlace
}

async function machineOf(uuid: string, { migration, hosts }: MachineDeps, signal: AbortSignal): Promise<Machine> {
  const vm = await migration.vm(uuid)
  const { driver } = await hosts.usable(vm.hostUuid)
  return { vm, image: await migration.image(vm.imageUuid ?? ''), driver, place: await placeOn(driver, signal) }
}

/** Before anything of the VM is on its host: one there with its uuid is somebody else's, whatever it is called. */
export async function refuseKnown({ signal }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { driver, place } = await machineOf(uuid, deps, signal)
  const known = (await hypervisorOn(driver, place).list({ signal })).get(uuid)
  if (known !== undefined)
    throw new ApiError('SYS.1002', `libvirt on the host has a VM with the uuid ${uuid} already, ${known.name}`)
}

/** The image that the VM starts from comes to its host, unless it is there. */
export async function bringImage(context: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { signal, log, progress, write } = context
  const { vm, image, driver: host, place } = await machineOf(uuid, deps, signal)
  const path = imagePath(place, image)
  const arrival = `${vmFolder(place, uuid)}/image`
  // remembered before anything is there, so that whoever removes the package knows where to look
  await write((tx) => deps.migration.rememberCopy(tx, { imageUuid: image.uuid, hostUuid: vm.hostUuid, path }))
  const { installPath, backupStorageUuid } = await deps.migration.referenceOf(image.uuid)
  const { driver: storage } = await deps.backupStorage.usable(backupStorageUuid)
  await copyToHost({ ...image, installPath }, { storage, host, path, arrival, signal, log, progress })
}

/** A disk of its own in front of the image. Until the VM is known to libvirt, an older one is of an earlier try. */
export async function makeDisk({ signal }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { image, driver, place } = await machineOf(uuid, deps, signal)
  if ((await hypervisorOn(driver, place).list({ signal })).has(uuid)) return
  const folder = vmFolder(place, uuid)
  await driver.remove(folder, { signal })
  await makeFolder(driver, folder, signal)
  if (image.format === 'iso') return
  const overlay = qcow2Overlay({ path: imagePath(place, image), format: image.format, size: image.size })
  await driver.put(Readable.from([overlay]), diskPath(folder), { signal })
}

export async function startMachine({ signal, log }: JobContext, deps: MachineDeps, uuid: string): Promise<void> {
  const { vm, image, driver, place } = await machineOf(uuid, deps, signal)
  const folder = vmFolder(place, uuid)
  const hypervisor = hypervisorOn(driver, place)
  const xml = domainXml({
    ...vm,
    network: networkOf(vm, place),
    boot:
      image.format === 'iso'
        ? { path: imagePath(place, image), device: 'cdrom' }
        : { path: diskPath(folder), device: 'disk' },
    consoleLog: `${folder}/console.log`,
    hasKvm: place.hasKvm,
  })
  log(`starting ${vm.name} by ${place.uri}${place.hasKvm ? '' : ', without KVM'}`)
  await hypervisor.define(xml, { signal })
  await hypervisor.start(uuid, { signal })
}

/** Whatever there is of the VM on its host; fine when there is nothing. */
export async function removeMachine({ signal, log }: JobContext, { hosts }: MachineDeps, vm: VmRow): Promise<void> {
  const driver = await hosts.drivers.of(await hosts.get(vm.hostUuid))
  const place = await placeOn(driver, signal)
  if (!(await hypervisorOn(driver, place).remove(vm.uuid, { signal })))
    log(`libvirt has a VM with the uuid ${vm.uuid} that Wharf has not made; it stays as it is`)
  await driver.remove(vmFolder(place, vm.uuid), { signal })
}

/** Images that no VM needs any more. A host that is away keeps its own; that is told. */
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
      log(`an image stays at ${copy.path} of host ${copy.hostUuid}: ${error.code} ${error.message}`)
    }
    await write((tx) => migration.forgetCopy(tx, copy))
  }
}

const diskPath = (folder: string): string => `${folder}/disk.qcow2`

const hypervisorOn = (driver: HostDriver, { uri }: HostPlace) => new Libvirt(driver, uri)

/** An ordinary user may not plug anything into the networks of the host. */
function networkOf({ network }: VmRow, { uri }: HostPlace): Network {
  if (network !== null) return parseNetwork(network)
  return uri === 'qemu:///system' ? { kind: 'network', name: 'default' } : { kind: 'user' }
}
