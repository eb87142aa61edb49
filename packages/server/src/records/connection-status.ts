import { afterCommit, type Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { JobService } from '../jobs/service.ts'
import type { DriverCache } from './driver-cache.ts'
import { probeWithTimeout } from './probe-with-timeout.ts'
import { type RecordDeps, type RecordKind, type RecordRow, Records, typed } from './records.ts'

/** A record of something outside this process that is used through a driver: a host, a backup storage. */
export interface RowWithConnectionStatus extends RecordRow {
  name: string
  /** The only node that can reach it, because it is on that node's machine. */
  managementNodeUuid: string | null
  /** Set by an admin. */
  state: 'Enabled' | 'Disabled'
  /** The result of the last probe; Connecting while it is being added. */
  status: 'Connecting' | 'Connected' | 'Disconnected'
  /** Of the last probe, while it is Disconnected. */
  errorCode: string | null
  errorDetails: string | null
  totalCapacity: number
  availableCapacity: number
}

export interface ConnectionStatusKind<Row> extends RecordKind<Row> {
  readonly unusableCode: 'HOST.1010' | 'BS.1003'
  readonly unreachableCode: 'HOST.1003' | 'BS.1003'
  /** Its relation to the node: `the machine`, `a folder`. */
  readonly partOfNode: string
  /** The records that may refer to it. */
  readonly users: string
}

export interface ConnectionStatusDeps extends RecordDeps {
  readonly jobs: Pick<JobService, 'findActive'>
  readonly nodeUuid: string
}

const failureColumn = (name: string): string => `case when "status" = 'Disconnected' then "${name}" end`

/** The columns of the last failure in queries. */
export const failureColumns = { errorCode: failureColumn('errorCode'), errorDetails: failureColumn('errorDetails') }

/** The length limit of the field. */
const maxErrorDetails = 4096

interface ProbeOptions {
  /** Requested by an admin, or it was Disconnected before. */
  readonly isThorough: boolean
  /** By an admin, who reads its result. */
  readonly isRequested?: boolean
}

/** What a probe found. */
export interface ProbeAnswer<Row> {
  readonly columns: Partial<Row>
  /** Stores more, in the transaction that writes the columns. */
  readonly store?: (tx: Tx) => Promise<void>
}

/** What hosts and backup storage have in common: state, status, probes, and the node that they belong to. */
export abstract class RecordsWithConnectionStatus<
  Row extends RowWithConnectionStatus,
  Driver extends { close(): Promise<void> },
> extends Records<Row> {
  abstract readonly drivers: DriverCache<Row, Driver>
  protected readonly nodeUuid: string
  readonly #jobs: Pick<JobService, 'findActive'>
  readonly #kind: ConnectionStatusKind<Row>

  constructor(deps: ConnectionStatusDeps, kind: ConnectionStatusKind<Row>) {
    super(deps, kind)
    this.nodeUuid = deps.nodeUuid
    this.#jobs = deps.jobs
    this.#kind = kind
  }

  /** Throws when the driver gets no answer. */
  protected abstract query(row: Row, signal: AbortSignal, options: ProbeOptions): Promise<ProbeAnswer<Row>>

  /** A node of an older version does not clear the failure when it connects. */
  override async find(uuid: string, from?: Tx): Promise<Row | undefined> {
    const row = await super.find(uuid, from)
    return row === undefined || row.status === 'Disconnected' ? row : { ...row, errorCode: null, errorDetails: null }
  }

  /** A record that work may be sent to, with its driver. */
  async usable(uuid: string): Promise<{ row: Row; driver: Driver }> {
    const row = await this.get(uuid)
    this.refuseUnusable(row)
    return { row, driver: await this.drivers.of(row) }
  }

  refuseUnusable(row: Row): void {
    const { unusableCode } = this.#kind
    if (row.state === 'Disabled')
      throw new ApiError('SYS.1005', `${this.label} ${row.name} is Disabled; it must be Enabled`)
    if (row.status !== 'Connected') throw new ApiError(unusableCode, `${this.label} ${row.name} is ${row.status}`)
    this.requireThisNode(row)
  }

  isElsewhere({ managementNodeUuid: node }: Pick<RowWithConnectionStatus, 'managementNodeUuid'>): boolean {
    return node !== null && node !== this.nodeUuid
  }

  /** The call is forwarded to the only node that can reach the record. */
  requireThisNode({ name, managementNodeUuid: node }: Row): void {
    const { partOfNode } = this.#kind
    if (node !== null && node !== this.nodeUuid)
      throw new WrongNodeError(node, `${this.label} ${name} is ${partOfNode} of management node ${node}`)
  }

  /** A record that its job left Connecting is not protected. */
  async refuseWhileAdding({ uuid, name, status }: Row, tx?: Tx): Promise<void> {
    const job = status === 'Connecting' ? await this.#jobs.findActive(uuid, tx) : undefined
    if (job)
      throw new ApiError(
        'SYS.1005',
        `${this.label} ${name} is Connecting while job ${job.uuid} adds it; wait for the job or cancel it`,
      )
  }

  /** Closes connections to what another node has changed or deleted; the next use opens one to the record as it is. */
  followChanges(): () => void {
    return this.events.subscribe(({ resourceType, uuid }) => {
      if (resourceType === this.resourceType && this.drivers.has(uuid)) void this.#refreshDriver(uuid)
    })
  }

  async #refreshDriver(uuid: string): Promise<void> {
    try {
      const row = await this.find(uuid)
      await (row ? this.drivers.forgetOutdated(row) : this.drivers.forget(uuid))
    } catch {
      // the database is unavailable; the next use compares the record again
    }
  }

  async changeState(tx: Tx, uuid: string, stateEvent: 'enable' | 'disable'): Promise<Row> {
    await this.update(tx, uuid, { state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' } as Partial<Row>)
    return this.get(uuid, tx)
  }

  /** On a new connection; the record contains the result also when it fails. */
  async reconnect(uuid: string): Promise<Row> {
    const row = await this.get(uuid)
    await this.refuseWhileAdding(row)
    this.requireThisNode(row)
    await this.drivers.forget(uuid)
    const failure = await this.probe(row, { isThorough: true, isRequested: true })
    if (failure) throw failure
    return this.get(uuid)
  }

  /** Writes the status and the capacities that a probe finds. */
  protected async probe(row: Row, options: ProbeOptions): Promise<ApiError | undefined> {
    const { unreachableCode } = this.#kind
    const result = await probeWithTimeout(
      (signal) => this.query(row, signal, options),
      (cause) => new ApiError(unreachableCode, `${this.label} ${row.name} did not answer`, { cause }),
    )
    if ('failure' in result) {
      // the other nodes use the record too, so an uncertain result is left to the next probe
      if (result.isCertain) await this.#writeFailure(row, result.failure, options.isRequested ?? false)
      return result.failure
    }
    const { columns, store } = result.answer
    const connected = { ...columns, status: 'Connected', errorCode: null, errorDetails: null } as const
    await this.#writeProbe(row, { columns: connected, ...(store && { store }) })
    return undefined
  }

  /** Of periodic probes only the first failure of a kind: the text of a repeated one may differ in every probe. */
  async #writeFailure(row: Row, { code: errorCode, message }: ApiError, isRequested: boolean): Promise<void> {
    const errorDetails = message.slice(0, maxErrorDetails)
    const isSame = !isRequested || row.errorDetails === errorDetails
    if (row.status === 'Disconnected' && row.errorCode === errorCode && isSame) return
    await this.#writeProbe(row, { columns: { status: 'Disconnected', errorCode, errorDetails } })
  }

  /** In the transaction that changes the status of a record that was added, as its last write. */
  protected async statusChanged(_tx: Tx, _row: Row): Promise<void> {}

  /** True when this transaction changes the status: another node may have written the same meanwhile. */
  async #changesStatus(tx: Tx, row: Row, status: RowWithConnectionStatus['status'] | undefined): Promise<boolean> {
    if (status === undefined || status === row.status || row.status === 'Connecting') return false
    const { numUpdatedRows } = await typed<RowWithConnectionStatus>(tx)
      .updateTable(this.table)
      .set({ status })
      .where('uuid', '=', row.uuid)
      .where('status', '!=', status)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Capacities change constantly; only other changes cause an event. */
  async #writeProbe(row: Row, { columns, store }: ProbeAnswer<RowWithConnectionStatus>): Promise<void> {
    const { totalCapacity: _, availableCapacity: __, ...others } = columns
    const hasChanged = Object.entries(others).some(([column, value]) => row[column as keyof Row] !== value)
    const change = (hasChanged ? { ...columns, lastOpDate: this.clock.now() } : columns) as Partial<Row>
    await this.database.transaction(async (tx) => {
      const before = hasChanged ? await this.lockRow(tx, row.uuid) : undefined
      const isStatusChanged = await this.#changesStatus(tx, row, columns.status)
      // deleted meanwhile
      if (!(await this.write(tx, row.uuid, change))) return
      if (before) await this.publish(tx, 'Updated', row.uuid, { before, after: { ...before, ...change } })
      await store?.(tx)
      if (isStatusChanged) await this.statusChanged(tx, { ...row, ...change })
    })
  }

  /** Other nodes cannot reach records on the machine of a lost node; it probes them after its return. */
  async disconnectRecordsOn(tx: Tx, nodeUuid: string): Promise<void> {
    const disconnected = await typed<RowWithConnectionStatus>(tx)
      .updateTable(this.table)
      .set({
        status: 'Disconnected',
        errorCode: 'SYS.1012',
        errorDetails: `management node ${nodeUuid}, whose machine this is on, does not respond`,
        lastOpDate: this.clock.now(),
      })
      .where('managementNodeUuid', '=', nodeUuid)
      .where('status', '=', 'Connected')
      .returningAll()
      .execute()
    for (const row of disconnected) {
      const before = { ...row, status: 'Connected', errorCode: null, errorDetails: null }
      await this.publish(tx, 'Updated', row.uuid, { before, after: { ...row } })
    }
    for (const row of disconnected) await this.statusChanged(tx, row as Row)
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    const row = await this.get(uuid, tx)
    await this.refuseWhileAdding(row, tx)
    const job = await this.#jobs.findActive(uuid, tx)
    if (job)
      throw new ApiError(
        'SYS.1005',
        `job ${job.uuid} (${job.operation}) works on ${this.label} ${row.name}; wait for the job or cancel it`,
      )
    await this.#delete(tx, row)
  }

  /** After a failed attempt to add it; a record that was added, and may be in use, is kept. */
  async deleteIfConnecting(tx: Tx, uuid: string): Promise<void> {
    const row = await this.find(uuid, tx)
    if (row?.status === 'Connecting') await this.#delete(tx, row)
  }

  async #delete(tx: Tx, { uuid, name }: Row): Promise<void> {
    const { users } = this.#kind
    await this.remove(tx, uuid, `there are ${users} on ${this.label} ${name}; delete them first`)
    afterCommit(tx, () => void this.drivers.forget(uuid))
  }
}
