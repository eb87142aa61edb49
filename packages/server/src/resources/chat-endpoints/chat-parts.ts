import type { Database } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Events } from '../../events/events.ts'
import { AtPersonService } from './at-persons.ts'
import { DeliveryService } from './deliveries.ts'
import { type DeliveryLimits, deliveryLimits } from './delivery-limits.ts'
import { DeliveryStore } from './delivery-store.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import { ChatEndpointService, type KnownPlatforms } from './service.ts'

interface Needed {
  database: Database
  events: Events
  clock: Clock
  sealing: Sealing
  log: Log
  nodeUuid: string
  formatTimestamp: (ms: number) => string
  platforms: KnownPlatforms
  settings: {
    readonly downloadAllow: readonly Cidr[]
    readonly caFile?: string | undefined
    readonly timezone: string
  }
}

/** The services of this folder, put together. */
export function chatParts(needed: Needed, changedLimits: Partial<DeliveryLimits> = {}) {
  const limits = { ...deliveryLimits, ...changedLimits }
  const store = new DeliveryStore(needed.database)
  const endpoints = new ChatEndpointService(needed)
  const persons = new AtPersonService({ ...needed, endpoints })
  const deliveries = new DeliveryService({ ...needed, store, limits })
  const worker = new DeliveryWorker({ ...needed, store, limits, endpoints, deliveries })
  return { endpoints, persons, deliveries, worker, limits }
}
