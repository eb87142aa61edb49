import type { PackageStatus } from '@wharf/contract'

export type HostGroup = 'up' | 'connecting' | 'down'
export type PackageGroup = 'installed' | 'uploaded' | 'inProgress' | 'failed'

/** The condition of each group: the server counts by it, and the link filters by it. */
export const hostConditions: Record<HostGroup, string> = {
  up: 'status=Connected',
  connecting: 'status=Connecting',
  down: 'status=Disconnected',
}

export const packageGroups: Record<PackageGroup, readonly PackageStatus[]> = {
  installed: ['Installed', 'Initialized'],
  uploaded: ['Uploaded'],
  inProgress: ['Uploading', 'Installing', 'Initializing'],
  failed: ['UploadFailed', 'InstallFailed', 'InitializeFailed'],
}

export const unhealthyCondition = 'health=Unhealthy'

export const packageConditions = Object.fromEntries(
  Object.entries(packageGroups).map(([group, statuses]) => [
    group,
    statuses.length === 1 ? `status=${statuses[0]}` : `status?=${statuses.join(',')}`,
  ]),
) as Record<PackageGroup, string>
