import { addClusterPlugin } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { isAddressOrHostName } from '@wharf/platform/host-name.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { JobOperation, Started } from '../../../calls/job-operation.ts'
import { step } from '../../../jobs/definition.ts'
import { defaultApiPort } from '../../software-packages/service.ts'
import { type NewPlugin, resourceType } from '../service.ts'
import { adoptPackage, type Requester, type TakenOver, takeOver } from '../takeover.ts'
import type { ClusterJobDeps } from './cluster-job-deps.ts'

export interface AddInput extends Requester {
  readonly plugin: NewPlugin & { readonly adminToken: string; readonly resourceUuid: string }
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly tagUuids?: readonly string[] | undefined
}

/** With a token, the job takes over a component that already runs: the token is tried before anything is stored. */
export const addJob = (deps: ClusterJobDeps): JobOperation<typeof addClusterPlugin, AddInput, TakenOver> => ({
  operation: addClusterPlugin,
  async start(call, enqueue) {
    const { plugins, tags, ownAddress } = deps
    const { tagUuids, apiPort = defaultApiPort, managementIp = ownAddress.ip, ...rest } = call.fields
    const { adminToken, resourceUuid = newSequentialUuid() } = rest
    if (!isAddressOrHostName(managementIp))
      throw invalid(`params.managementIp must be an address or a host name, which ${managementIp} is not`)
    const isPortGiven = call.fields.apiPort !== undefined
    const plugin = { ...rest, apiPort, isPortGiven, managementIp, resourceUuid }
    if (isPortGiven) await plugins.refuseDuplicate(plugin, undefined)
    return call.commit(async (tx): Promise<Started<typeof addClusterPlugin>> => {
      if (adminToken !== undefined) {
        const input = { plugin: { ...plugin, adminToken }, tags: call.tags, tagUuids, role: call.caller.role }
        return enqueue(tx, { subject: { uuid: resourceUuid, name: plugin.name }, host: null, input })
      }
      await tags.attach(tx, { resourceUuid, resourceType, tags: call.tags, tagUuids })
      return { inventory: await plugins.create(tx, plugin) }
    })
  },
  steps: [
    step('try', (context) => {
      const { plugin, role } = context.input
      context.conceal(plugin.adminToken)
      return takeOver(context, deps, { ...plugin, role })
    }),
  ],
  async succeeded({ input: { plugin, tags, tagUuids }, stepResults }, tx) {
    const { apiPort = plugin.apiPort, packageUuid } = stepResults
    const { resourceUuid } = plugin
    await deps.tags.attach(tx, { resourceUuid, resourceType, tags, tagUuids })
    await deps.plugins.create(tx, { ...plugin, apiPort })
    if (packageUuid) await adoptPackage(tx, deps, resourceUuid, packageUuid)
    return { inventory: await deps.plugins.get(resourceUuid, tx) }
  },
})
