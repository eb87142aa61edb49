import { addClusterPlugin } from '@wharf/contract'
import { job, step } from '../../../jobs/definition.ts'
import { type NewPlugin, resourceType } from '../service.ts'
import { adoptPackage, type Requester, type TakenOver, takeOver } from '../takeover.ts'
import type { JobParts } from './parts.ts'

export interface AddInput extends Requester {
  readonly plugin: NewPlugin & { readonly adminToken: string; readonly resourceUuid: string }
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly tagUuids?: readonly string[] | undefined
}

/** Taking over a component that runs already: its token is tried before anything is stored. */
export const addJob = (parts: JobParts) =>
  job<typeof addClusterPlugin, AddInput, TakenOver>(
    addClusterPlugin,
    [
      step('try', (context) => {
        const { plugin, role } = context.input
        context.conceal(plugin.adminToken)
        return takeOver(context, parts, { ...plugin, role })
      }),
    ],
    async ({ input: { plugin, tags, tagUuids }, memory }, tx) => {
      const { apiPort = plugin.apiPort, packageUuid } = memory
      const { resourceUuid } = plugin
      await parts.tags.attach(tx, { resourceUuid, resourceType, tags, tagUuids })
      await parts.plugins.create(tx, { ...plugin, apiPort })
      if (packageUuid) await adoptPackage(tx, parts, resourceUuid, packageUuid)
      return { inventory: await parts.plugins.get(resourceUuid, tx) }
    },
  )
