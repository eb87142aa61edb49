import { untilAborted } from '@wharf/platform/abort.ts'
import type { HostService } from '../hosts/service.ts'
import { detectLayout } from './hypervisor/host-layout.ts'
import type { ListedVm, VmState } from './hypervisor/hypervisor.ts'
import { Libvirt } from './hypervisor/libvirt.ts'

/** A host that does not list its VMs within this time is unreachable. */
const listTimeoutMs = 3000

/** By uuid. `Unknown` when the host is unreachable; no entry for a VM that its hypervisor does not have. */
export async function queryVmStates(
  vms: readonly { readonly uuid: string; readonly hostUuid: string }[],
  hosts: HostService,
): Promise<Map<string, VmState>> {
  const states = new Map<string, VmState>()
  const byHost = Map.groupBy(vms, ({ hostUuid }) => hostUuid)
  await Promise.all(
    [...byHost].map(async ([hostUuid, own]) => {
      const listed = await listVms(hosts, hostUuid)
      for (const { uuid } of own) {
        const state = listed === undefined ? 'Unknown' : listed.get(uuid)?.state
        if (state !== undefined) states.set(uuid, state)
      }
    }),
  )
  return states
}

/** Undefined when the host is unreachable. */
async function listVms(hosts: HostService, hostUuid: string): Promise<Map<string, ListedVm> | undefined> {
  const signal = AbortSignal.timeout(listTimeoutMs)
  const list = async () => {
    const host = await hosts.get(hostUuid)
    // a disabled host accepts no new work but still lists its VMs
    hosts.refuseUnusable({ ...host, state: 'Enabled' })
    const driver = await hosts.drivers.of(host)
    const { uri } = await detectLayout(driver, signal)
    return new Libvirt(driver, uri).list({ signal })
  }
  // a hanging connection may close late
  return untilAborted(signal, list()).catch(() => undefined)
}
