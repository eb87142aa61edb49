import { updateClusterPlugin } from '@wharf/contract'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { step } from '../../../jobs/definition.ts'
import { type Requester, verifyToken } from '../takeover.ts'
import { authorisedPluginHost } from './alert-platform.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

interface Input extends Requester {
  readonly name?: string | undefined
  readonly adminToken: string
}

/** A name is stored at once; a token is verified first. */
export const updateJob = (deps: ClusterJobDeps): JobOperation<typeof updateClusterPlugin, Input> => ({
  operation: updateClusterPlugin,
  async start(call, enqueue) {
    const { uuid } = call.path
    const { name, adminToken } = call.fields
    const plugin = await deps.plugins.get(uuid)
    if (adminToken === undefined)
      return call.commit(async (tx) => ({ inventory: await deps.plugins.change(tx, uuid, { name }) }))
    const host = await authorisedPluginHost(call, plugin, deps)
    return call.commit((tx) =>
      enqueue(tx, {
        subject: plugin,
        host,
        input: { name, adminToken, role: call.caller.role },
        managementNodeUuid: host?.managementNodeUuid,
      }),
    )
  },
  steps: [
    step('try', async (context) => {
      const { adminToken, role } = context.input
      context.conceal(adminToken)
      await verifyToken(context, deps, await deps.plugins.get(context.subjectUuid ?? ''), { token: adminToken, role })
    }),
  ],
  async succeeded({ subjectUuid, input }, tx) {
    return { inventory: await deps.plugins.change(tx, subjectUuid ?? '', input) }
  },
})
