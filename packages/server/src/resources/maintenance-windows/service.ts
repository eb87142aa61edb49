import { MaintenanceWindowInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { ApiError, type Mention, notFound } from '@wharf/platform/api-error.ts'
import type { Selectable } from 'kysely'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { HostService } from '../hosts/service.ts'
import { checkWindowTimes, type WindowTimes } from './window-times.ts'

export { nextOpening, windowState } from './window-times.ts'
export type WindowRow = Selectable<Tables['maintenanceWindows']>

export const resourceType = 'MaintenanceWindow'

interface WindowFields extends WindowTimes {
  readonly name: string
  readonly selector: readonly string[]
}

interface MaintenanceWindowDeps extends RecordDeps {
  readonly hosts: Pick<HostService, 'selection'>
}

export class MaintenanceWindowService extends Records<WindowRow> {
  readonly #deps: MaintenanceWindowDeps
  readonly #users: ((tx: Tx, uuid: string) => Promise<Mention | undefined>)[] = []

  constructor(deps: MaintenanceWindowDeps) {
    super(deps, { inventory: MaintenanceWindowInventory })
    this.#deps = deps
  }

  /** Called once at startup; `user` returns the record that uses a window, such as `rollout a`. */
  addUser(user: (tx: Tx, uuid: string) => Promise<Mention | undefined>): void {
    this.#users.push(user)
  }

  async create(tx: Tx, fields: WindowFields & { resourceUuid?: string }): Promise<WindowRow> {
    const { selector, ...columns } = fields
    this.#check(fields, 'params')
    return this.add(tx, { ...columns, selector: JSON.stringify(selector) })
  }

  async change(tx: Tx, uuid: string, change: Partial<WindowFields>): Promise<WindowRow> {
    // locked, because the fields that it keeps are checked together with those that it changes
    const row = await this.lockRow(tx, uuid)
    if (row === undefined) throw notFound(this.label, uuid)
    const { selector, ...before } = row as unknown as WindowRow
    this.#check({ ...before, selector: JSON.parse(selector) as string[], ...change }, 'updateMaintenanceWindow')
    const { selector: newSelector, ...columns } = change
    const stored = { ...columns, ...(newSelector === undefined ? {} : { selector: JSON.stringify(newSelector) }) }
    await this.update(tx, uuid, stored, row)
    return this.get(uuid, tx)
  }

  #check(fields: WindowFields, prefix: string): void {
    checkWindowTimes(fields, prefix, this.clock.now())
    this.#deps.hosts.selection.check(fields.selector, `${prefix}.selector`)
  }

  override async remove(tx: Tx, uuid: string): Promise<void> {
    const { name } = await this.get(uuid, tx)
    for (const user of this.#users) {
      const found = await user(tx, uuid)
      if (found)
        throw new ApiError(
          'SYS.1004',
          `${found.text} uses maintenance window ${name}; wait until it has ended, or stop it`,
          { mentions: [found] },
        )
    }
    await super.remove(tx, uuid)
  }
}
