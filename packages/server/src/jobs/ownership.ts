import { AsyncLocalStorage } from 'node:async_hooks'

/** By which right a step of a job acts on the world outside the database. */
export interface Ownership {
  readonly jobUuid: string
  /** Counts up with every owner: whoever sees a higher one refuses this one. */
  readonly fence: number
  /** Throws when the lease has run out, by a clock that goes on while the process is stopped. */
  requireOwned(): void
  /** Somebody was met who has a newer right: the job is given up here. */
  overtaken(): Error
  readonly subjectUuid?: string | null
  /** The same for every owner of the job. Keyed by the master key: nobody else can find out a text by guessing. */
  digest?(text: string): string
  /** The job's log; absent while steps are undone. */
  log?(line: string): void
  /** Called once: true when the database has the outcome of the step, false when the job is given up here before that. */
  onRecorded?(listener: (isRecorded: boolean) => void): void
}

const held = new AsyncLocalStorage<Ownership>()

/**
 * Everything that the work does, and sets in motion, is done by this right. It comes along by itself, not as an argument:
 * what a step does on a host or a storage must not depend on each caller in between having thought of it.
 */
export const asOwner = <T>(ownership: Ownership, work: () => T): T => held.run(ownership, work)

/** None outside of a job. */
export const presentOwnership = (): Ownership | undefined => held.getStore()

/**
 * To be asked right before something becomes visible, or goes: a process that was stopped and goes on in the middle of a
 * step may have lost the job meanwhile.
 */
export const requireOwned = (): void => held.getStore()?.requireOwned()
