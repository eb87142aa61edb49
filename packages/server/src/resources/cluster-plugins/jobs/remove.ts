import { removeClusterPlugin } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { alertStateIn } from '../alert-state.ts'
import { detachAlerts } from './alert-platform.ts'
import type { JobParts } from './parts.ts'

export interface RemoveInput {
  readonly pluginUuid: string
  readonly enforcing: boolean
}

/** Who removes by force waits no longer than this for a component that does not let go. */
const enforcedDetachMs = 10_000

/** The plugin and its alert platform go. The cluster stays as it is, with all its data. */
export const removeJob = (parts: JobParts) =>
  job<typeof removeClusterPlugin, RemoveInput>(
    removeClusterPlugin,
    [
      step('detach', async (context) => {
        await (context.input.enforcing ? tryToDetach(context, parts) : detach(context, parts))
        await reportByHand(context, parts)
      }),
    ],
    async ({ input }, tx) => {
      const plugin = await parts.plugins.get(input.pluginUuid, tx)
      const sealedCluster = parts.plugins.sealFormed(plugin)
      if (sealedCluster && plugin.softwarePackageUuid !== null)
        await parts.packages.update(tx, plugin.softwarePackageUuid, { sealedCluster })
      await parts.plugins.delete(tx, input.pluginUuid)
      return {}
    },
  )

async function detach(context: JobContext<RemoveInput>, parts: JobParts): Promise<void> {
  try {
    await detachAlerts(context, parts, context.input.pluginUuid)
  } catch (cause) {
    context.signal.throwIfAborted()
    if (!(cause instanceof ApiError)) throw cause
    throw new ApiError('SYS.1004', `its alert platform could not be detached from the component: ${cause.message}`, {
      cause,
    })
  }
}

async function tryToDetach(context: JobContext<RemoveInput>, parts: JobParts): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(enforcedDetachMs)])
  try {
    await detachAlerts({ ...context, signal }, parts, context.input.pluginUuid)
  } catch (error) {
    context.signal.throwIfAborted()
    const why = signal.aborted ? `no answer within ${enforcedDetachMs / 1000} s` : String(error)
    context.log(`the component may still send alerts: ${why}`)
  }
}

/** What somebody has entered at the component, somebody has to remove there. */
async function reportByHand(context: JobContext<RemoveInput>, parts: JobParts): Promise<void> {
  const { attachment, platform } = await alertStateIn(parts, context.input.pluginUuid)
  if (attachment === 'Manual' && platform)
    context.log(
      `if ${platform.url} was entered in the Alertmanager of the component, remove it there: it is answered 404`,
    )
}
