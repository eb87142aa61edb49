import { nounOf, type RecordTraits } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { isForeignKeyViolation } from '@wharf/database/failures.ts'
import type { ResourceType, Tables } from '@wharf/database/tables.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import { CompiledQuery, type Kysely, type Selectable } from 'kysely'
import type { Image } from '../audit/record-changes.ts'
import type { Images, Outbox, Routine } from '../events/outbox.ts'

/** The columns that every record has. */
export interface RecordRow {
  uuid: string
  createDate: number
  lastOpDate: number
}

/** The table that contains rows of this type. */
type TableOf<Row> = { [T in keyof Tables]: Row extends Selectable<Tables[T]> ? T : never }[keyof Tables]

export interface RecordKind<Row> {
  readonly inventory: RecordTraits & { readonly table: TableOf<Row>; readonly events: readonly [ResourceType] }
  /** The noun for one record in error texts, where it differs from the event type. */
  readonly label?: string
}

export interface RecordDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
}

/** The records of one table. Every change writes its event and its audit entry in the same transaction. */
export class Records<Row extends RecordRow> {
  protected readonly database: Database
  protected readonly clock: Clock
  /** Kysely cannot type a table whose name is a type parameter, so every table of records is typed as `records`. */
  protected readonly table: 'records'
  protected readonly events: Outbox
  protected readonly resourceType: ResourceType
  /** The noun for one record in error texts, such as `backup storage`. */
  protected readonly label: string
  readonly #lockRow: string

  constructor({ database, events, clock }: RecordDeps, { inventory, label }: RecordKind<Row>) {
    this.database = database
    this.clock = clock
    this.table = inventory.table as string as 'records'
    this.label = label ?? nounOf(inventory)
    this.events = events
    this.resourceType = inventory.events[0]
    // the lock of an update that changes no key, so that rows that refer to this one can be inserted meanwhile
    this.#lockRow = {
      sqlite: `select * from "${inventory.table}" where "uuid" = ?`,
      postgres: `select * from "${inventory.table}" where "uuid" = $1 for no key update`,
    }[database.engine]
  }

  async find(uuid: string, from?: Tx): Promise<Row | undefined> {
    const row = await typed(from ?? this.database.read)
      .selectFrom(this.table)
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirst()
    return row as Row | undefined
  }

  async get(uuid: string, from?: Tx): Promise<Row> {
    const row = await this.find(uuid, from)
    if (row === undefined) throw notFound(this.label, uuid)
    return row
  }

  /** A record with these columns; `otherConflict` as for `insert`. */
  async add(
    tx: Tx,
    { resourceUuid: uuid = newSequentialUuid(), ...columns }: Omit<Row, keyof RecordRow> & { resourceUuid?: string },
    otherConflict?: () => ApiError,
  ): Promise<Row> {
    const now = this.clock.now()
    const row = { uuid, ...columns, createDate: now, lastOpDate: now } as unknown as Row
    await this.insert(tx, row, otherConflict)
    return row
  }

  /** `otherConflict` is thrown when another unique column than the uuid is taken. */
  async insert(tx: Tx, row: Row, otherConflict?: () => ApiError): Promise<void> {
    const { label } = this
    const inserted = await typed(tx)
      .insertInto(this.table)
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    if (inserted === undefined) {
      if (otherConflict !== undefined && !(await this.find(row.uuid, tx))) throw otherConflict()
      const article = /^[aeiou]/.test(label) ? 'an' : 'a'
      throw new ApiError(
        'SYS.1002',
        `${article} ${label} with the uuid ${row.uuid} already exists; choose another uuid, or omit resourceUuid`,
      )
    }
    await this.publish(tx, 'Created', row.uuid, { before: null, after: image(row) })
  }

  /** `locked`: the row, when the caller has it from `lockRow`. */
  async update(tx: Tx, uuid: string, change: Partial<Row>, locked?: Image): Promise<void> {
    const before = locked ?? (await this.lockRow(tx, uuid))
    const changed = { ...change, lastOpDate: this.clock.now() }
    if (before === undefined || !(await this.write(tx, uuid, changed))) throw notFound(this.label, uuid)
    await this.publish(tx, 'Updated', uuid, { before, after: { ...before, ...changed } })
  }

  /** The row as it is before a change, which no other transaction makes before this one ends. */
  protected async lockRow(tx: Tx, uuid: string): Promise<Image | undefined> {
    return (await tx.executeQuery<Image>(CompiledQuery.raw(this.#lockRow, [uuid]))).rows[0]
  }

  /** Changes columns without an event and without an audit entry; false when the record does not exist. */
  protected async write(tx: Tx, uuid: string, change: Partial<Row>): Promise<boolean> {
    const { numUpdatedRows } = await typed(tx)
      .updateTable(this.table)
      .set(change)
      .where('uuid', '=', uuid)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** `inUse` is the text of the refusal when other records refer to this one. */
  async remove(tx: Tx, uuid: string, inUse?: string): Promise<void> {
    const hostLabels = await this.events.hostLabelsOf(tx, this.resourceType, uuid)
    const deletion = typed(tx).deleteFrom(this.table).where('uuid', '=', uuid)
    const [deleted] = await deletion
      .returningAll()
      .execute()
      .catch((cause: unknown) => {
        throw inUse !== undefined && isForeignKeyViolation(cause) ? new ApiError('SYS.1004', inUse) : cause
      })
    if (deleted === undefined) throw notFound(this.label, uuid)
    await this.publish(tx, 'Deleted', uuid, { before: image(deleted), after: null, hostLabels })
  }

  protected publish(tx: Tx, type: string, uuid: string, change: PublishedChange): Promise<void> {
    return this.events.record(tx, { type, resourceType: this.resourceType, uuid, ...change })
  }
}

/** `hostLabels` of a deleted record. */
type PublishedChange = (Images | Routine) & { readonly hostLabels?: string | null }

const image = (row: RecordRow): Image => row as unknown as Image

export const typed = <Row extends RecordRow = RecordRow>(from: Reader | Tx) =>
  from as unknown as Kysely<{ records: Row }>
