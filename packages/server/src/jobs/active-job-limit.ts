import type { Tx } from '@wharf/database/database.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { JobStore } from './store.ts'

/** The jobs of a user are counted once for this many of them: an index by user would cost every job more. */
const countEvery = 50
/** Of more users the first are forgotten, and counted again with their next job. */
const maxUsers = 1000

/** Limits the unfinished jobs of each user. */
export class ActiveJobLimit {
  readonly #store: Pick<JobStore, 'countActiveOf'>
  /** By user: the jobs since the last count. */
  readonly #uncounted = new Map<string, number>()

  constructor(store: Pick<JobStore, 'countActiveOf'>) {
    this.#store = store
  }

  async refuseTooMany(tx: Tx, userUuid: string): Promise<void> {
    const limit = userLimits.activeJobs
    const uncounted = this.#uncounted.get(userUuid) ?? countEvery
    if (uncounted < countEvery) return void this.#uncounted.set(userUuid, uncounted + 1)
    if ((await this.#store.countActiveOf(tx, userUuid, limit)) >= limit)
      throw tooMany(
        'SYS.1006',
        `user ${userUuid} has ${limit} unfinished jobs`,
        'wait until some have ended, or cancel them',
      )
    // moved to the end, so that the first user is the one counted longest ago
    this.#uncounted.delete(userUuid)
    this.#uncounted.set(userUuid, 1)
    const [first = ''] = this.#uncounted.keys()
    if (this.#uncounted.size > maxUsers) this.#uncounted.delete(first)
  }
}
