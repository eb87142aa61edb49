import type { Database } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Outbox } from '../../events/outbox.ts'
import { AtPersonService } from './at-person-service.ts'
import { type DeliveryLimits, deliveryLimits } from './delivery-limits.ts'
import { DeliveryService } from './delivery-service.ts'
import { DeliveryStore } from './delivery-store.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import type { EventRenderer } from './event-renderer.ts'
import { ChatEndpointService, type PlatformCheck } from './service.ts'

interface ChatServicesDeps {
  database: Database
  events: Outbox
  clock: Clock
  sealing: Sealing
  log: Log
  nodeUuid: string
  formatTimestamp: (ms: number) => string
  platforms: PlatformCheck
  eventRenderer: EventRenderer
  settings: {
    readonly downloadAllow: readonly Cidr[]
    readonly caFile?: string | undefined
    readonly timezone: string
  }
}

/** Creates the services of this folder. */
export function createChatServices(deps: ChatServicesDeps, changedLimits: Partial<DeliveryLimits> = {}) {
  const limits = { ...deliveryLimits, ...changedLimits }
  const store = new DeliveryStore(deps.database)
  const endpoints = new ChatEndpointService(deps)
  const persons = new AtPersonService({ ...deps, endpoints })
  const deliveries = new DeliveryService({ ...deps, limits })
  const worker = new DeliveryWorker({ ...deps, store, limits, endpoints, deliveries })
  return { endpoints, persons, deliveries, worker, limits }
}
