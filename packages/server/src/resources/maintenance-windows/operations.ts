import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  queryMaintenanceWindow,
  updateMaintenanceWindow,
} from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { TagService } from '../tags/service.ts'
import { type MaintenanceWindowService, resourceType, type WindowRow } from './service.ts'

export function maintenanceWindowOperations(deps: {
  queries: Queries
  windows: MaintenanceWindowService
  tags: TagService
}): Binding[] {
  const { queries, windows, tags } = deps
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
    ...queryBindings(queries, queryMaintenanceWindow, getMaintenanceWindow),
  ]
}

const shown = (row: WindowRow) => ({ ...row, selector: JSON.parse(row.selector) as string[] })
