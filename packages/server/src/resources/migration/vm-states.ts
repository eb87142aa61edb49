import { untilAborted } from '@wharf/platform/abort.ts'
import type { HostService } from '../hosts/service.ts'
import { placeOn } from './hypervisor/host-place.ts'
import type { KnownVm, VmState } from './hypervisor/hypervisor.ts'
import { Libvirt } from './hypervisor/libvirt.ts'

/** A host that has not told in this time what runs on it is away. */
const askMs = 3000

/** By uuid. `Unknown` where the host cannot be asked; nothing for a VM that its hypervisor does not know. */
export async function statesOf(
  vms: readonly { readonly uuid: string; readonly hostUuid: string }[],
  hosts: HostService,
): Promise<Map<string, VmState>> {
  const states = new Map<string, VmState>()
  const byHost = Map.groupBy(vms, ({ hostUuid }) => hostUuid)
  await Promise.all(
    [...byHost].map(async ([hostUuid, own]) => {
      const told = await tellWithin(hosts, hostUuid)
      for (const { uuid } of own) {
        const state = told === undefined ? 'Unknown' : told.get(uuid)?.state
        if (state !== undefined) states.set(uuid, state)
      }
    }),
  )
  return states
}

/** Undefined when nobody can tell. */
async function tellWithin(hosts: HostService, hostUuid: string): Promise<Map<string, KnownVm> | undefined> {
  const signal = AbortSignal.timeout(askMs)
  const ask = async () => {
    const host = await hosts.get(hostUuid)
    // a host that takes no new work still tells what it does
    hosts.refuseUnusable({ ...host, state: 'Enabled' })
    const driver = await hosts.drivers.of(host)
    const { uri } = await placeOn(driver, signal)
    return new Libvirt(driver, uri).list({ signal })
  }
  // a connection that hangs may take its time to close
  return untilAborted(signal, ask()).catch(() => undefined)
}
