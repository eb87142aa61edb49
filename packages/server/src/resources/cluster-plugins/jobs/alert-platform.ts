import { attachClusterPluginAlerts, createClusterPluginAlertPlatform } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { alertStateIn, manualSteps } from '../alert-state.ts'
import { attachmentOf, unknownAttachment } from '../attachment.ts'
import { refuseOutOfReach } from '../out-of-reach.ts'
import type { ClusterPluginRow } from '../store.ts'
import { findLatePackage, type Requester, takeoverInput } from '../takeover.ts'
import type { JobParts } from './parts.ts'

export interface AlertPlatformInput extends Requester {
  readonly pluginUuid: string
}

/** The record is made with the job; here the component is told where its alerts go. */
export const alertPlatformJob = (parts: JobParts) =>
  job<typeof createClusterPluginAlertPlatform, AlertPlatformInput>(
    createClusterPluginAlertPlatform,
    [
      step('attach', (context) => attach(context, parts), {
        undo: async (context) => detachAlerts(context, parts, context.input.pluginUuid),
      }),
    ],
    async ({ input }, tx) => {
      const found = await parts.plugins.alertPlatformOf(input.pluginUuid, tx)
      if (found === undefined) throw new ApiError('SYS.1003', 'the alert platform was deleted meanwhile')
      return { thirdPartyPlatform: found.platform, inventory: found.reference }
    },
    async ({ input }, tx) => parts.plugins.removeAlertPlatform(tx, input.pluginUuid),
  )

/** Again, for a component that has not received the current token. */
export const attachAlertsJob = (parts: JobParts) =>
  job<typeof attachClusterPluginAlerts, AlertPlatformInput>(
    attachClusterPluginAlerts,
    [
      step('attach', (context) => attach(context, parts), {
        undo: async ({ input, signal }) => {
          const { softwarePackageUuid } = await parts.plugins.get(input.pluginUuid)
          if (softwarePackageUuid !== null) await parts.packages.endEarlierHooks(softwarePackageUuid, { signal })
        },
      }),
    ],
    async ({ input }, tx) => ({ attachment: (await alertStateIn(parts, input.pluginUuid, tx)).attachment }),
  )

async function attach(context: JobContext<AlertPlatformInput>, parts: JobParts): Promise<void> {
  const { pluginUuid, role } = context.input
  await findLatePackage(context, parts, { uuid: pluginUuid, role })
  await configureAlerts(context, parts, pluginUuid)
}

/** Configures where the component sends its alerts, unless it is already configured so. The log has the outcome. */
export async function configureAlerts(context: JobContext, parts: JobParts, pluginUuid: string): Promise<void> {
  const found = await parts.plugins.alertPlatformOf(pluginUuid)
  const { attachedAlerts } = await parts.plugins.get(pluginUuid)
  const wanted = attachmentOf(found?.platform)
  if (attachedAlerts !== wanted) {
    const token = found && parts.platforms.tokenOf(found.platform)
    if (token !== undefined) context.conceal(token)
    const alerts = found ? { url: found.platform.url, token } : null
    await runAlertsHook(context, parts, pluginUuid, alerts, wanted)
  }
  if (found === undefined) return
  const { attachment, reason } = await alertStateIn(parts, pluginUuid)
  context.log(reason)
  if (attachment === 'Manual')
    for (const line of manualSteps(found.platform, parts.ownAddress.isLoopback)) context.log(line)
}

export async function detachAlerts(context: JobContext, parts: JobParts, pluginUuid: string): Promise<void> {
  if ((await parts.plugins.get(pluginUuid)).attachedAlerts === null) return
  await runAlertsHook(context, parts, pluginUuid, null, null)
}

/** What the package's hooks get of the cluster; undefined while there is none that could send. */
async function hookInput(context: JobContext, { plugins }: JobParts, plugin: ClusterPluginRow) {
  const configuration = plugins.configurationOf(plugin)
  if (configuration === undefined) {
    const token = plugins.tokenOf(plugin)
    if (token === undefined) return undefined
    context.conceal(token)
    return takeoverInput(plugin, token)
  }
  context.conceal(configuration.password)
  return plugin.finishedStep === 'quorum' ? { cluster: { ...configuration, apiPort: plugin.apiPort } } : undefined
}

async function runAlertsHook(
  context: JobContext,
  parts: JobParts,
  pluginUuid: string,
  alerts: object | null,
  attachedAlerts: string | null,
): Promise<void> {
  const plugin = await parts.plugins.get(pluginUuid)
  if (plugin.softwarePackageUuid === null) return
  const row = await parts.packages.get(plugin.softwarePackageUuid)
  const hook = parts.packages.manifestOf(row).cluster?.alerts
  const input = await hookInput(context, parts, plugin)
  if (hook === undefined || input === undefined) return
  if (alerts !== null) refuseOutOfReach(parts.ownAddress, await parts.hosts.get(row.hostUuid ?? ''))
  await context.write((tx) => parts.plugins.update(tx, pluginUuid, { attachedAlerts: unknownAttachment }))
  await parts.packages.runHook(context, row, 'cluster.alerts', hook, { ...input, alerts })
  await context.write((tx) => parts.plugins.update(tx, pluginUuid, { attachedAlerts }))
}
