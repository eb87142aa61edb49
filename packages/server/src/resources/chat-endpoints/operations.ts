import {
  addSNSChatAppAtPerson,
  createChatAppEndpoint,
  deleteAtPerson,
  deleteChatAppEndpoint,
  getAtPerson,
  getChatAppEndpoint,
  getDelivery,
  queryAtPerson,
  queryChatAppEndpoint,
  queryDelivery,
  resendDelivery,
  type SystemEventName,
  updateAtPerson,
  updateChatAppEndpoint,
} from '@wharf/contract'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { JobService } from '../../jobs/service.ts'
import type { TagService } from '../tags/service.ts'
import type { AtPersonService } from './at-person-service.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryService } from './delivery-service.ts'
import type { EventRenderer } from './event-renderer.ts'
import { testEndpointJob } from './jobs.ts'
import type { ChatEndpointService } from './service.ts'
import type { EndpointRow } from './store.ts'

interface ChatOperationDeps {
  queries: Queries
  jobs: JobService
  tags: TagService
  endpoints: ChatEndpointService
  persons: AtPersonService
  deliveries: DeliveryService
  eventRenderer: EventRenderer
  limits: DeliveryLimits
  clock: Clock
  settings: { readonly downloadAllow: readonly Cidr[]; readonly caFile?: string | undefined }
}

export const chatEndpointOperations = (deps: ChatOperationDeps): Binding[] => [
  ...endpointOperations(deps),
  ...personOperations(deps),
  ...deliveryOperations(deps),
]

function endpointOperations(deps: ChatOperationDeps): Binding[] {
  const { queries, jobs, tags, endpoints, eventRenderer } = deps
  return [
    handle(createChatAppEndpoint, async (call) => {
      const { tagUuids, ...endpoint } = call.fields
      const { name, language = 'en', ownEventTemplate } = endpoint
      if (ownEventTemplate !== undefined) await eventRenderer.check({ uuid: '', name, language, ownEventTemplate })
      return call.commit(async (tx) => {
        const row = await endpoints.create(tx, endpoint)
        const resourceType = 'ChatAppEndpoint'
        await tags.attach(tx, { resourceUuid: row.uuid, resourceType, tags: call.tags, tagUuids })
        return { inventory: inventoryOf(row) }
      })
    }),
    handle(updateChatAppEndpoint, async ({ path, fields, commit }) => {
      const { ownEventTemplate } = fields
      if (ownEventTemplate !== undefined)
        await eventRenderer.check({ ...(await endpoints.get(path.uuid)), ownEventTemplate })
      return commit(async (tx) => ({ inventory: inventoryOf(await endpoints.change(tx, path.uuid, fields)) }))
    }),
    bindJob(jobs, testEndpointJob(deps)),
    handle(deleteChatAppEndpoint, ({ path, commit }) =>
      commit(async (tx) => {
        for (const uuid of await endpoints.delete(tx, path.uuid)) await tags.detachAll(tx, uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryChatAppEndpoint, getChatAppEndpoint),
  ]
}

const inventoryOf = (row: EndpointRow) => ({
  ...row,
  atAll: row.atAll === 1,
  platformUuids: JSON.parse(row.platformUuids) as string[],
  ownEvents: JSON.parse(row.ownEvents) as SystemEventName[],
})

function personOperations({ queries, tags, persons }: ChatOperationDeps): Binding[] {
  return [
    handle(addSNSChatAppAtPerson, (call) =>
      call.commit(async (tx) => {
        const { tagUuid = [], tagUuids = [], ...person } = call.fields
        const inventory = await persons.create(tx, person)
        const tagged = { resourceUuid: inventory.uuid, resourceType: 'ChatAppAtPerson', tags: call.tags }
        await tags.attach(tx, { ...tagged, tagUuids: [...tagUuid, ...tagUuids] })
        return { inventory }
      }),
    ),
    handle(updateAtPerson, ({ path, fields, commit }) =>
      commit(async (tx) => ({ inventory: await persons.change(tx, path.uuid, fields) })),
    ),
    handle(deleteAtPerson, ({ path, commit }) =>
      commit(async (tx) => {
        await persons.remove(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryAtPerson, getAtPerson),
  ]
}

function deliveryOperations({ queries, deliveries }: ChatOperationDeps): Binding[] {
  return [
    handle(resendDelivery, ({ path, commit }) =>
      commit(async (tx) => ({ inventory: await deliveries.resend(tx, path.uuid) })),
    ),
    ...queryBindings(queries, queryDelivery, getDelivery),
  ]
}
