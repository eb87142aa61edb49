import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { shareOf } from '@wharf/platform/ids.ts'
import { hostsElsewhere } from '../hosts/service.ts'
import type { PackageRow } from './store.ts'

/** The date of packages that cannot be verified. */
const never = Number.MAX_SAFE_INTEGER
const batchSize = 500
const verifiable = ['Installed', 'Initialized', 'InitializeFailed'] as const

export type DueVerification = Pick<PackageRow, 'uuid' | 'hostUuid' | 'nextVerifyDate'>

/** The date of a first verification: an interval after the installation, or at a point of the interval that differs by package. */
export function firstVerification(
  { uuid, lastVerifiedDate }: Pick<PackageRow, 'uuid' | 'lastVerifiedDate'>,
  { now, intervalMs }: { now: number; intervalMs: number },
): number {
  const afterLast = (lastVerifiedDate ?? 0) + intervalMs
  return afterLast > now ? afterLast : now + Math.floor(shareOf(uuid) * intervalMs)
}

/** The date after this one; a package that was late keeps the distance to the others. */
export const nextVerification = (due: number, { now, intervalMs }: { now: number; intervalMs: number }): number =>
  due + intervalMs > now ? due + intervalMs : now + intervalMs

interface VerificationScheduleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly nodeUuid: string
}

/** When each installed package is verified next, shared by all nodes through the database. */
export class VerificationSchedule {
  readonly #database: Database
  readonly #clock: Clock
  readonly #nodeUuid: string

  constructor({ database, clock, nodeUuid }: VerificationScheduleDeps) {
    this.#database = database
    this.#clock = clock
    this.#nodeUuid = nodeUuid
  }

  /** Gives packages a date: new ones, and those whose date is of a longer interval. */
  async spread(intervalMs: number, canVerify: (row: PackageRow) => boolean): Promise<void> {
    const now = this.#clock.now()
    const installed = this.#database.read
      .selectFrom('softwarePackages')
      .selectAll()
      .where('status', 'in', verifiable)
      .limit(batchSize)
    // two statements, because each of them uses the index
    const unscheduled = [
      ...(await installed.where('nextVerifyDate', 'is', null).execute()),
      ...(await installed
        .where('nextVerifyDate', '>', now + intervalMs)
        .where('nextVerifyDate', '<', never)
        .execute()),
    ]
    if (unscheduled.length === 0) return
    await this.#database.transaction(async (tx) => {
      for (const row of unscheduled)
        await tx
          .updateTable('softwarePackages')
          .set({ nextVerifyDate: canVerify(row) ? firstVerification(row, { now, intervalMs }) : never })
          .where('uuid', '=', row.uuid)
          .where('nextVerifyDate', row.nextVerifyDate === null ? 'is' : '=', row.nextVerifyDate)
          .execute()
    })
  }

  /** Those that are due on hosts that this node reaches, the longest overdue first. */
  listDue(): Promise<DueVerification[]> {
    return (
      this.#database.read
        .selectFrom('softwarePackages')
        .select(['uuid', 'hostUuid', 'nextVerifyDate'])
        .where('nextVerifyDate', '<=', this.#clock.now())
        .where('status', 'in', verifiable)
        // the packages of a lost node are overdue until it is back, and would fill the list
        .where('hostUuid', 'not in', hostsElsewhere(this.#nodeUuid))
        .orderBy('nextVerifyDate')
        .limit(batchSize)
        .execute()
    )
  }

  /** False when another node has claimed it. */
  async claim({ uuid, nextVerifyDate }: DueVerification, intervalMs: number): Promise<boolean> {
    if (nextVerifyDate === null) return false
    const next = nextVerification(nextVerifyDate, { now: this.#clock.now(), intervalMs })
    return this.#database.transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('softwarePackages')
        .set({ nextVerifyDate: next })
        .where('uuid', '=', uuid)
        .where('nextVerifyDate', '=', nextVerifyDate)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
  }
}
