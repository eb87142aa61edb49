import { HostInventory } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import { collection } from '@wharf/database/query.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { failureColumns } from '../../records/connection-status.ts'
import { labelsOf } from './host-labels.ts'
import type { HostRow, HostStore, Labels } from './store.ts'

/** The columns by which work on many hosts is planned. */
const selectedColumns = [
  'uuid',
  'name',
  'driver',
  'address',
  'hostName',
  'architecture',
  'managementNodeUuid',
  'state',
  'status',
  'errorDetails',
  'availableCapacity',
] as const satisfies readonly (keyof HostRow)[]

export type SelectedHost = Pick<HostRow, (typeof selectedColumns)[number]> & { readonly labels: Labels }

/** Hosts as every query of them has them. */
export const hostRecords = collection(HostInventory, { columns: failureColumns })

interface HostSelectionDeps {
  readonly database: Database
  readonly store: HostStore
  readonly settings: { readonly timezone: string }
}

/** Many hosts at once: by the conditions of `q`, or by uuid. */
export class HostSelection {
  readonly #deps: HostSelectionDeps

  constructor(deps: HostSelectionDeps) {
    this.#deps = deps
  }

  /** Refuses conditions that no query would accept; the error names `field`. */
  check(conditions: readonly string[], field: string): void {
    try {
      hostRecords.statements(this.#deps.database.engine, { q: [...conditions], timeZone: this.#deps.settings.timezone })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new ApiError(error.code, `${field}: ${error.message.replace(/^q: /, '')}`)
    }
  }

  /** At most `limit` of the hosts that match all conditions. */
  async listMatching(conditions: readonly string[], limit: number): Promise<SelectedHost[]> {
    const { database, settings } = this.#deps
    const fields = [...selectedColumns, 'labels']
    const input = { q: [...conditions], limit, fields, timeZone: settings.timezone }
    const { inventories } = await hostRecords.query(database, input)
    return (inventories?.objects() ?? []) as unknown as SelectedHost[]
  }

  async listByUuids(uuids: readonly string[], from?: Tx): Promise<SelectedHost[]> {
    const found: SelectedHost[] = []
    await inBatches(uuids, async (batch) => {
      for (const row of await this.#deps.store.list(batch, from)) found.push({ ...row, labels: labelsOf(row) })
    })
    return found
  }
}
