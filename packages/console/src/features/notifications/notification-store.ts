import { readStoredJson, writeStoredJson } from '../../browser/stored-json.ts'
import { userDataPrefixes } from '../../browser/user-data.ts'
import { addNotifications, markRead, type Notification } from './notification.ts'

/** What a browser keeps for a user: the notifications, and what it has handled. */
interface StoredNotifications {
  readonly notifications: readonly Notification[]
  readonly jobs?: SeenJobs
  readonly rollouts?: SeenRollouts
}

interface SeenJobs {
  /** Jobs that ended before are not queried. A time as the API writes it, or in ISO 8601. */
  readonly since: string
  /** The jobs since then that are handled. */
  readonly handled: readonly string[]
}

/** The states in which this browser has seen the rollouts of the user. */
export interface SeenRollouts {
  /** Rollouts that changed before are not queried. */
  readonly since: string
  /** By uuid. */
  readonly states: Readonly<Record<string, string>>
}

/** The server keeps the jobs of one user at the same second in no order, so some must be remembered. */
const maxHandled = 500
/** Of a new browser: jobs that ended earlier are of no interest, and the clocks may differ. */
const firstSinceMs = 3_600_000

export const keyOf = (userUuid: string): string => userDataPrefixes.notifications + userUuid

/** The notifications of a user in this browser, shared by its tabs. */
export class NotificationStore {
  readonly #userUuid: string
  readonly #listeners = new Set<() => void>()
  #state: StoredNotifications

  constructor(userUuid: string) {
    this.#userUuid = userUuid
    this.#state = this.#load()
    addEventListener('storage', (event) => {
      if (event.key !== keyOf(userUuid)) return
      this.#state = this.#load()
      this.#notify()
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notifications = (): readonly Notification[] => this.#state.notifications

  /** The start of the query of jobs, and whether this browser has never queried them for this user. */
  startJobs(now = Date.now()): SeenJobs & { readonly isFirst: boolean } {
    const { jobs } = this.#state
    return { ...(jobs ?? { since: firstSince(now), handled: [] }), isFirst: jobs === undefined }
  }

  handleJobs({ since, handled }: SeenJobs, added: readonly Notification[]): void {
    const all = [...new Set([...handled, ...(this.#state.jobs?.handled ?? [])])].slice(0, maxHandled)
    this.#save({ jobs: { since, handled: all }, notifications: addNotifications(this.notifications(), added) })
  }

  /** The same of rollouts. */
  startRollouts(now = Date.now()): SeenRollouts & { readonly isFirst: boolean } {
    const { rollouts } = this.#state
    return { ...(rollouts ?? { since: firstSince(now), states: {} }), isFirst: rollouts === undefined }
  }

  handleRollouts(rollouts: SeenRollouts, added: readonly Notification[]): void {
    this.#save({ rollouts, notifications: addNotifications(this.notifications(), added) })
  }

  markRead(matches?: (notification: Notification) => boolean): void {
    const before = this.notifications()
    const notifications = markRead(before, matches)
    if (notifications !== before) this.#save({ notifications })
  }

  #save(change: Partial<StoredNotifications>): void {
    this.#state = { ...this.#state, ...change }
    writeStoredJson(keyOf(this.#userUuid), this.#state)
    this.#notify()
  }

  #load(): StoredNotifications {
    const stored = (readStoredJson(keyOf(this.#userUuid)) ?? {}) as Partial<StoredNotifications>
    const { notifications, jobs, rollouts } = stored
    return {
      // those of an earlier version have no such time
      notifications: Array.isArray(notifications) ? notifications.filter(({ at }) => typeof at === 'number') : none,
      ...(Array.isArray(jobs?.handled) ? { jobs } : {}),
      ...(typeof rollouts?.states === 'object' ? { rollouts } : {}),
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const none: readonly Notification[] = []

const firstSince = (now: number): string => new Date(now - firstSinceMs).toISOString()
