import { removeClusterPlugin } from '@wharf/contract'
import { type JobContext, job, step } from '../../jobs/definition.ts'
import { ApiError } from '../../platform/api-error.ts'
import { detachAlerts } from './alert-platform.ts'
import type { JobParts } from './parts.ts'

export interface RemoveInput {
  readonly pluginUuid: string
  readonly enforcing: boolean
}

/** The plugin and its alert platform go. The cluster stays as it is, with all its data. */
export const removeJob = (parts: JobParts) =>
  job<typeof removeClusterPlugin, RemoveInput>(
    removeClusterPlugin,
    [step('detach', (context) => detach(context, parts))],
    async ({ input }, tx) => {
      await parts.plugins.delete(tx, input.pluginUuid)
      return {}
    },
  )

async function detach(context: JobContext<RemoveInput>, parts: JobParts): Promise<void> {
  const { pluginUuid, enforcing } = context.input
  if ((await parts.plugins.alertPlatformOf(pluginUuid)) === undefined) return
  try {
    await detachAlerts(context, parts, pluginUuid)
  } catch (cause) {
    context.signal.throwIfAborted()
    if (!(cause instanceof ApiError)) throw cause
    if (!enforcing)
      throw new ApiError('SYS.1004', `its alert platform could not be detached from the component: ${cause.message}`, {
        cause,
      })
    context.log(`the component may still send alerts: ${cause.code} ${cause.message}`)
  }
}
