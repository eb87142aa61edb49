import type { alertAttachments } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { PlatformRow } from '../alerts/service.ts'
import { attachmentOf } from './attachment.ts'
import type { ClusterJobDeps } from './jobs/cluster-job-deps.ts'
import type { ClusterPluginRow } from './store.ts'

export interface AlertState {
  readonly attachment: (typeof alertAttachments)[number]
  readonly reason: string
}

/** The package that runs the component, as far as it matters here. */
interface RunningPackage {
  readonly name: string
  readonly hasAlerts: boolean
}

const byHand = 'enter the address and the token of the alert platform in the Alertmanager of the component'

/** Does the component send its alerts here? Where Wharf cannot make it, it says what to do. */
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
          reason: `no software package managed by Wharf was found for port ${apiPort} at ${managementIp}; ${byHand}`,
        }
  if (!software.hasAlerts)
    return { attachment: 'Manual', reason: `software package ${software.name} names no alerts hook; ${byHand}` }
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

/** As the records say now. */
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

/** For the log of a job, which never holds a token. */
export const manualSteps = ({ uuid, url }: PlatformRow, isLoopback: boolean): string[] => [
  `webhook address to enter in the Alertmanager of the component: ${url}`,
  `its Bearer token is shown once: by "Show the token" on the page of the cluster, by wharf cluster alerts --token, or by resetToken of alert platform ${uuid}`,
  ...(isLoopback
    ? ['the address is one of this machine only; set WHARF_PUBLIC_URL to one that the component reaches']
    : []),
]
