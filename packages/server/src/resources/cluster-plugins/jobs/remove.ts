import { removeClusterPlugin } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { alertStateIn } from '../alert-state.ts'
import { authorisedPluginHost, detachAlerts } from './alert-platform.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

export interface RemoveInput {
  readonly pluginUuid: string
  readonly enforcing: boolean
}

/** How long an enforced removal waits for the component to be detached. */
const enforcedDetachTimeoutMs = 10_000

/** Removes the plugin and its alert platform. The cluster and its data are not touched. */
export const removeJob = (deps: ClusterJobDeps): JobOperation<typeof removeClusterPlugin, RemoveInput> => ({
  operation: removeClusterPlugin,
  async start(call, enqueue) {
    const { plugins, jobs } = deps
    const { uuid } = call.path
    const enforcing = call.fields.deleteMode === 'Enforcing'
    await authorisedPluginHost(call, await plugins.get(uuid), deps)
    if (enforcing) await jobs.cancelSubject(call, uuid)
    return call.commit(async (tx) => {
      const plugin = await plugins.get(uuid, tx)
      const host = await authorisedPluginHost(call, plugin, deps, tx)
      await jobs.refuseBusy(tx, uuid)
      const input = { pluginUuid: uuid, enforcing }
      return enqueue(tx, {
        subject: plugin,
        host,
        input,
        managementNodeUuid: host?.managementNodeUuid,
      })
    })
  },
  steps: [
    step('detach', async (context) => {
      await (context.input.enforcing ? tryToDetach(context, deps) : detach(context, deps))
      await logManualRemoval(context, deps)
    }),
  ],
  async succeeded({ input }, tx) {
    const plugin = await deps.plugins.get(input.pluginUuid, tx)
    const sealedCluster = deps.plugins.sealFormed(plugin)
    if (sealedCluster && plugin.softwarePackageUuid !== null)
      await deps.packages.update(tx, plugin.softwarePackageUuid, { sealedCluster })
    await deps.plugins.remove(tx, input.pluginUuid)
    return {}
  },
})

async function detach(context: JobContext<RemoveInput>, deps: ClusterJobDeps): Promise<void> {
  try {
    await detachAlerts(context, deps, context.input.pluginUuid)
  } catch (cause) {
    context.signal.throwIfAborted()
    if (!(cause instanceof ApiError)) throw cause
    throw new ApiError('SYS.1004', `its alert platform could not be detached from the component: ${cause.message}`, {
      cause,
    })
  }
}

async function tryToDetach(context: JobContext<RemoveInput>, deps: ClusterJobDeps): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(enforcedDetachTimeoutMs)])
  try {
    await detachAlerts({ ...context, signal }, deps, context.input.pluginUuid)
  } catch (error) {
    context.signal.throwIfAborted()
    const why = signal.aborted ? `no answer within ${enforcedDetachTimeoutMs / 1000} s` : String(error)
    context.log(`the component may still send alerts: ${why}`)
  }
}

/** An address that was entered manually at the component must be removed manually. */
async function logManualRemoval(context: JobContext<RemoveInput>, deps: ClusterJobDeps): Promise<void> {
  const { attachment, platform } = await alertStateIn(deps, context.input.pluginUuid)
  if (attachment === 'Manual' && platform)
    context.log(
      `if ${platform.url} was entered in the Alertmanager of the component, remove it from there: it returns 404 from now on`,
    )
}
