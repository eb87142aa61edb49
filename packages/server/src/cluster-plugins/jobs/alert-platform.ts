import { createClusterPluginAlertPlatform } from '@wharf/contract'
import { type JobContext, job, step } from '../../jobs/definition.ts'
import { ApiError } from '../../platform/api-error.ts'
import { attachmentOf, unknownAttachment } from '../attachment.ts'
import type { JobParts } from './parts.ts'

export interface AlertPlatformInput {
  readonly pluginUuid: string
}

/** The record is made with the job; here the component is told where its alerts go. */
export const alertPlatformJob = (parts: JobParts) =>
  job<typeof createClusterPluginAlertPlatform, AlertPlatformInput>(
    createClusterPluginAlertPlatform,
    [
      step('attach', (context) => tellOfAlerts(context, parts, context.input.pluginUuid), {
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

/** Tells the component who takes its alerts, or that nobody does any more, unless it knows. */
export async function tellOfAlerts(context: JobContext, parts: JobParts, pluginUuid: string): Promise<void> {
  const found = await parts.plugins.alertPlatformOf(pluginUuid)
  const { attachedAlerts } = await parts.plugins.get(pluginUuid)
  const wanted = attachmentOf(found?.platform)
  if (attachedAlerts === wanted) return
  if (found === undefined) return runAlertsHook(context, parts, pluginUuid, null, wanted)
  const token = parts.platforms.tokenOf(found.platform)
  context.conceal(token)
  await runAlertsHook(context, parts, pluginUuid, { url: found.platform.url, token }, wanted)
}

export async function detachAlerts(context: JobContext, parts: JobParts, pluginUuid: string): Promise<void> {
  if ((await parts.plugins.get(pluginUuid)).attachedAlerts === null) return
  await runAlertsHook(context, parts, pluginUuid, null, null)
}

async function runAlertsHook(
  context: JobContext,
  parts: JobParts,
  pluginUuid: string,
  alerts: object | null,
  attachedAlerts: string | null,
): Promise<void> {
  const plugin = await parts.plugins.get(pluginUuid)
  const configuration = parts.plugins.configurationOf(plugin)
  // until the cluster has formed there is nothing that could send; the configuration tells it then
  if (plugin.softwarePackageUuid === null || configuration === undefined || plugin.finishedStep !== 'quorum') return
  const row = await parts.packages.get(plugin.softwarePackageUuid)
  const hook = parts.packages.manifestOf(row).cluster?.alerts
  if (hook === undefined) return context.log(`software package ${row.name} sends no alerts of itself`)
  context.conceal(configuration.password)
  const cluster = { ...configuration, apiPort: plugin.apiPort }
  await context.write((tx) => parts.plugins.update(tx, pluginUuid, { attachedAlerts: unknownAttachment }))
  await parts.packages.runHook(context, row, 'cluster.alerts', hook, { cluster, alerts })
  await context.write((tx) => parts.plugins.update(tx, pluginUuid, { attachedAlerts }))
}
