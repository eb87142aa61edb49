import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  MaintenanceWindowInventory,
  queryMaintenanceWindow,
  updateMaintenanceWindow,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { TagService } from '../tags/service.ts'
import { type MaintenanceWindowService, nextOpening, resourceType, type WindowRow } from './service.ts'

/** Its value depends on the time of the call, so `shown` computes it. */
const windowRecords = collection(MaintenanceWindowInventory, { columns: { nextOpenDate: 'null' } })

export function maintenanceWindowOperations(deps: {
  queries: Queries
  windows: MaintenanceWindowService
  tags: TagService
  clock: Clock
}): Binding[] {
  const { queries, windows, tags, clock } = deps
  const opening = (times: { cron: string; timeZone: string }) => ({ nextOpenDate: nextOpening(times, clock.now()) })
  const shown = (row: WindowRow) => ({ ...row, ...opening(row), selector: JSON.parse(row.selector) as string[] })
  return [
    handle(createMaintenanceWindow, ({ fields, tags: given, commit }) =>
      commit(async (tx) => {
        const { tagUuids, selector = [], timeZone = 'UTC', cutoffMinutes = 0, ...rest } = fields
        const row = await windows.create(tx, { ...rest, selector, timeZone, cutoffMinutes })
        await tags.attach(tx, { resourceUuid: row.uuid, resourceType, tags: given, tagUuids })
        return { inventory: shown(row) }
      }),
    ),
    handle(updateMaintenanceWindow, ({ path, fields, commit }) =>
      commit(async (tx) => ({ inventory: shown(await windows.change(tx, path.uuid, fields)) })),
    ),
    handle(deleteMaintenanceWindow, ({ path, commit }) =>
      commit(async (tx) => {
        await windows.remove(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryMaintenanceWindow, getMaintenanceWindow, {
      records: windowRecords,
      shownBy: ['cron', 'timeZone'],
      shown: async (_, rows) => rows.map((row) => ({ ...row, ...opening(row as unknown as WindowRow) })),
    }),
  ]
}
