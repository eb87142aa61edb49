import { AsyncLocalStorage } from 'node:async_hooks'

/** The right of a step to act outside the database. */
export interface Ownership {
  readonly jobUuid: string
  /** Incremented with every owner: a host that has seen a higher fence refuses this one. */
  readonly fence: number
  /** Throws when the lease has expired, by a clock that continues while the process is suspended. */
  requireOwned(): void
  /** Gives up the lease, because a newer owner was found; returns the error to throw. */
  loseOwnership(): Error
  readonly subjectUuid?: string | null
  /** The same for every owner of the job. Keyed by the master key, so that the text cannot be guessed. */
  digest?(text: string): string
  /** The job's log; absent while steps are undone. */
  log?(line: string): void
  /** Called once: true when the result of the step is stored, false when the lease is given up before that. */
  onRecorded?(listener: (isRecorded: boolean) => void): void
}

const ownerships = new AsyncLocalStorage<Ownership>()

/**
 * Runs the work with this ownership. It is passed implicitly, not as an argument: the checks on hosts and storages must
 * not depend on every caller in between.
 */
export const asOwner = <T>(ownership: Ownership, work: () => T): T => ownerships.run(ownership, work)

/** Undefined outside of a job. */
export const currentOwnership = (): Ownership | undefined => ownerships.getStore()

/** Called right before something becomes visible or is removed: a suspended process may have lost the job meanwhile. */
export const requireOwned = (): void => ownerships.getStore()?.requireOwned()
