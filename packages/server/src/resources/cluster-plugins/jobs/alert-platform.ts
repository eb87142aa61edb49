import { attachClusterPluginAlerts, createClusterPluginAlertPlatform } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { CallContext } from '../../../calls/call-context.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { ingestionUrl, platformType } from '../../alerts/service.ts'
import type { HostRow } from '../../hosts/service.ts'
import { alertStateIn, attachmentOf, manualSteps, refuseLoopbackAlerts, unknownAttachment } from '../alert-state.ts'
import type { ClusterPluginRow } from '../store.ts'
import { adoptLaterPackage, type Requester, takeoverInput } from '../takeover.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

export interface AlertPlatformInput extends Requester {
  readonly pluginUuid: string
}

/** The length limit of a platform's name. */
const maxPlatformName = 255
const platformSuffix = ' alerts'

/** The host of the plugin's package, from which its component is reached; refuses a caller who may not work on it. */
export async function authorisedPluginHost(
  { caller }: CallContext,
  { softwarePackageUuid }: { softwarePackageUuid: string | null },
  { packages, hosts }: ClusterJobDeps,
  tx?: Tx,
): Promise<HostRow | undefined> {
  if (softwarePackageUuid === null) return undefined
  const { hostUuid } = await packages.get(softwarePackageUuid, tx)
  return hostUuid === null ? undefined : hosts.getForWork(hostUuid, caller, tx)
}

/** Creates the record together with the job; the job configures the component to send its alerts to it. */
export const alertPlatformJob = (
  deps: ClusterJobDeps,
): JobOperation<typeof createClusterPluginAlertPlatform, AlertPlatformInput> => ({
  operation: createClusterPluginAlertPlatform,
  async start(call, enqueue) {
    const { plugins, platforms, tags, ownAddress } = deps
    const { uuid } = call.path
    const { resourceUuid = newSequentialUuid(), tagUuids } = call.fields
    const plugin = await plugins.get(uuid)
    const reachedFrom = await authorisedPluginHost(call, plugin, deps)
    if (reachedFrom) refuseLoopbackAlerts(ownAddress, reachedFrom)
    return call.commit(async (tx) => {
      const host = await authorisedPluginHost(call, await plugins.get(uuid, tx), deps, tx)
      const platform = await platforms.create(tx, {
        name: `${plugin.name.slice(0, maxPlatformName - platformSuffix.length)}${platformSuffix}`,
        url: ingestionUrl(ownAddress, resourceUuid),
        resourceUuid,
      })
      await plugins.linkAlertPlatform(tx, plugin, platform.uuid)
      await tags.attach(tx, { resourceUuid: platform.uuid, resourceType: platformType, tags: call.tags, tagUuids })
      return enqueue(tx, {
        subject: plugin,
        host,
        input: { pluginUuid: uuid, role: call.caller.role },
        managementNodeUuid: host?.managementNodeUuid,
      })
    })
  },
  steps: [
    step('attach', (context) => attach(context, deps), {
      undo: (context) => detachAlerts(context, deps, context.input.pluginUuid),
    }),
  ],
  async succeeded({ input }, tx) {
    const found = await deps.plugins.alertPlatformOf(input.pluginUuid, tx)
    if (found === undefined) throw new ApiError('SYS.1003', 'the alert platform was deleted meanwhile')
    return { thirdPartyPlatform: found.platform, inventory: found.reference }
  },
  failed: ({ input }, tx) => deps.plugins.removeAlertPlatform(tx, input.pluginUuid),
})

/** Repeats the attachment, for a component that has not received the current token. */
export const attachAlertsJob = (
  deps: ClusterJobDeps,
): JobOperation<typeof attachClusterPluginAlerts, AlertPlatformInput> => ({
  operation: attachClusterPluginAlerts,
  async start(call, enqueue) {
    const { plugins } = deps
    const { uuid } = call.path
    const plugin = await plugins.get(uuid)
    if ((await plugins.alertPlatformOf(uuid)) === undefined)
      throw new ApiError('SYS.1005', `cluster plugin ${plugin.name} has no alert platform; create it first`)
    return call.commit(async (tx) => {
      const host = await authorisedPluginHost(call, await plugins.get(uuid, tx), deps, tx)
      return enqueue(tx, {
        subject: plugin,
        host,
        input: { pluginUuid: uuid, role: call.caller.role },
        managementNodeUuid: host?.managementNodeUuid,
      })
    })
  },
  steps: [
    step('attach', (context) => attach(context, deps), {
      undo: async ({ input, signal }) => {
        const { softwarePackageUuid } = await deps.plugins.get(input.pluginUuid)
        if (softwarePackageUuid !== null) await deps.packages.endEarlierHooks(softwarePackageUuid, { signal })
      },
    }),
  ],
  succeeded: async ({ input }, tx) => ({ attachment: (await alertStateIn(deps, input.pluginUuid, tx)).attachment }),
})

async function attach(context: JobContext<AlertPlatformInput>, deps: ClusterJobDeps): Promise<void> {
  const { pluginUuid, role } = context.input
  await adoptLaterPackage(context, deps, { uuid: pluginUuid, role })
  await configureAlerts(context, deps, pluginUuid)
}

/** Configures where the component sends its alerts, unless it is already configured so. The outcome is logged. */
export async function configureAlerts(context: JobContext, deps: ClusterJobDeps, pluginUuid: string): Promise<void> {
  const found = await deps.plugins.alertPlatformOf(pluginUuid)
  const { attachedAlerts } = await deps.plugins.get(pluginUuid)
  const wanted = attachmentOf(found?.platform)
  if (attachedAlerts !== wanted) {
    const token = found && deps.platforms.tokenOf(found.platform)
    if (token !== undefined) context.conceal(token)
    const alerts = found ? { url: found.platform.url, token } : null
    await runAlertsHook(context, deps, pluginUuid, alerts, wanted)
  }
  if (found === undefined) return
  const { attachment, reason } = await alertStateIn(deps, pluginUuid)
  context.log(reason)
  if (attachment === 'Manual')
    for (const line of manualSteps(found.platform, deps.ownAddress.isLoopback)) context.log(line)
}

export async function detachAlerts(context: JobContext, deps: ClusterJobDeps, pluginUuid: string): Promise<void> {
  if ((await deps.plugins.get(pluginUuid)).attachedAlerts === null) return
  await runAlertsHook(context, deps, pluginUuid, null, null)
}

/** The input of the package's hooks; undefined until a cluster exists that could send alerts. */
async function hookInput(context: JobContext, { plugins }: ClusterJobDeps, plugin: ClusterPluginRow) {
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
  deps: ClusterJobDeps,
  pluginUuid: string,
  alerts: object | null,
  attachedAlerts: string | null,
): Promise<void> {
  const plugin = await deps.plugins.get(pluginUuid)
  if (plugin.softwarePackageUuid === null) return
  const row = await deps.packages.get(plugin.softwarePackageUuid)
  const hook = deps.packages.manifestOf(row).cluster?.alerts
  const input = await hookInput(context, deps, plugin)
  if (hook === undefined || input === undefined) return
  if (alerts !== null) refuseLoopbackAlerts(deps.ownAddress, await deps.hosts.get(row.hostUuid ?? ''))
  await context.write((tx) => deps.plugins.update(tx, pluginUuid, { attachedAlerts: unknownAttachment }))
  await deps.packages.runHook(context, row, 'cluster.alerts', hook, { ...input, alerts })
  await context.write((tx) => deps.plugins.update(tx, pluginUuid, { attachedAlerts }))
}
