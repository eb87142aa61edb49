import { addClusterPlugin } from '@wharf/contract'
import { job, step } from '../../jobs/definition.ts'
import { type NewPlugin, resourceType } from '../service.ts'
import { requireToken } from '../takeover.ts'
import type { JobParts } from './parts.ts'

export interface AddInput {
  readonly plugin: NewPlugin & { readonly adminToken: string; readonly resourceUuid: string }
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly tagUuids?: readonly string[] | undefined
}

/** Taking over a component that runs already: its token is tried before anything is stored. */
export const addJob = (parts: JobParts) =>
  job<typeof addClusterPlugin, AddInput>(
    addClusterPlugin,
    [
      step('try', (context) => {
        context.conceal(context.input.plugin.adminToken)
        return requireToken(context, parts, context.input.plugin)
      }),
    ],
    async ({ input: { plugin, tags, tagUuids } }, tx) => {
      const inventory = await parts.plugins.create(tx, plugin)
      await parts.tags.attach(tx, { resourceUuid: inventory.uuid, resourceType, tags, tagUuids })
      return { inventory }
    },
  )
