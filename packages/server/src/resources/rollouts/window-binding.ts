import type { HostService } from '../hosts/service.ts'
import type { MaintenanceWindowService } from '../maintenance-windows/service.ts'

/** Which hosts a maintenance window restricts. */
export type WindowBinding = (windowUuid: string | null) => Promise<(hostUuid: string) => boolean>

export const makeWindowBinding =
  ({ windows, hosts }: { windows: MaintenanceWindowService; hosts: HostService }): WindowBinding =>
  async (windowUuid) => {
    if (windowUuid === null) return () => false
    const selector = JSON.parse((await windows.get(windowUuid)).selector) as string[]
    if (selector.length === 0) return () => true
    const matching = await hosts.selection.listMatching(selector, Number.MAX_SAFE_INTEGER)
    const uuids = new Set(matching.map(({ uuid }) => uuid))
    return (hostUuid) => uuids.has(hostUuid)
  }
