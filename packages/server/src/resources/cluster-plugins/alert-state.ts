import type { alertAttachments } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import type { PlatformRow } from '../alerts/service.ts'
import type { ClusterJobDeps } from './jobs/cluster-job-deps.ts'
import type { ClusterPluginRow } from './store.ts'

export interface AlertState {
  readonly attachment: (typeof alertAttachments)[number]
  readonly reason: string
}

interface RunningPackage {
  readonly name: string
  readonly hasAlerts: boolean
}

const manualRemedy = 'enter the address and the token of the alert platform in the Alertmanager of the component'

/** Whether the component sends its alerts to Wharf, and what to do when Wharf cannot configure that. */
function alertStateOf(
  plugin: ClusterPluginRow,
  software: RunningPackage | undefined,
  platform: PlatformRow | undefined,
): AlertState {
  const { name, managementIp, apiPort, attachedAlerts, sealedConfiguration, sealedToken, finishedStep } = plugin
  if (platform === undefined)
    return { attachment: 'None', reason: `the alerts of ${name} are not received; create its alert platform` }
  if (software === undefined)
    return sealedToken === null
      ? {
          attachment: 'Pending',
          reason: `${name} is not configured yet; its component receives the address and the token when it is configured`,
        }
      : {
          attachment: 'Manual',
          reason: `no software package managed by Wharf was found for port ${apiPort} at ${managementIp}; ${manualRemedy}`,
        }
  if (!software.hasAlerts)
    return { attachment: 'Manual', reason: `software package ${software.name} has no alerts hook; ${manualRemedy}` }
  if (attachedAlerts === attachmentOf(platform))
    return { attachment: 'Attached', reason: `software package ${software.name} has configured the component` }
  if (sealedConfiguration !== null && finishedStep !== 'quorum')
    return {
      attachment: 'Pending',
      reason: `${name} has not formed yet; its component receives the address and the token when it has`,
    }
  return {
    attachment: 'Pending',
    reason: `the component of ${name} has not received the current address and token; attach its alerts again`,
  }
}

export async function alertStateIn(
  { plugins, packages }: Pick<ClusterJobDeps, 'plugins' | 'packages'>,
  uuid: string,
  from?: Tx,
) {
  const plugin = await plugins.get(uuid, from)
  const platform = (await plugins.alertPlatformOf(uuid, from))?.platform
  const row = plugin.softwarePackageUuid === null ? undefined : await packages.get(plugin.softwarePackageUuid, from)
  const software = row && { name: row.name, hasAlerts: packages.manifestOf(row).cluster?.alerts !== undefined }
  return { ...alertStateOf(plugin, software, platform), plugin, platform }
}

/** For the log of a job, which never contains a token. */
export const manualSteps = ({ uuid, url }: PlatformRow, isLoopback: boolean): string[] => [
  `webhook address to enter in the Alertmanager of the component: ${url}`,
  `its Bearer token is shown once: by "Show the token" on the page of the cluster, by wharf cluster alerts --token, or by resetToken of alert platform ${uuid}`,
  ...(isLoopback
    ? ['the address is one of this machine only; set WHARF_PUBLIC_URL to one that the component reaches']
    : []),
]

/** The hook was started and its outcome is unknown: the next attachment runs it again. */
export const unknownAttachment = 'unknown'

/** Identifies the platform and the token that a component is configured with; null for none. */
export const attachmentOf = (platform: Pick<PlatformRow, 'uuid' | 'tokenVersion'> | undefined): string | null =>
  platform === undefined ? null : `${platform.uuid}.${platform.tokenVersion}`

/** A component on another machine cannot send alerts to a loopback address. */
export function refuseLoopbackAlerts(
  { url, isLoopback }: Pick<ServerAddress, 'url' | 'isLoopback'>,
  { name, driver }: { name: string; driver: string },
): void {
  if (!isLoopback || driver === 'local') return
  throw new ApiError(
    'SYS.1006',
    `host ${name} cannot reach ${url}, which is an address of this machine only; set WHARF_PUBLIC_URL to one that hosts can reach`,
  )
}
