import { readStoredJson, writeStoredJson } from '../../browser/stored-json.ts'
import { userDataPrefixes } from '../../browser/user-data.ts'
import { addNotifications, type JobNotification, markRead } from './notification.ts'

/** What a browser keeps for a user: the notifications, and which ended jobs it has handled. */
export interface StoredNotifications {
  readonly notifications: readonly JobNotification[]
  /** Jobs that ended before are not queried. A time as the API writes it, or in ISO 8601. */
  readonly since: string
  /** The jobs since then that are handled. */
  readonly handled: readonly string[]
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
  #state: StoredNotifications | undefined

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

  notifications = (): readonly JobNotification[] => this.#state?.notifications ?? none

  /** The start of the query, and whether this browser has never queried for this user. */
  start(now = Date.now()): { readonly since: string; readonly isFirst: boolean; readonly handled: readonly string[] } {
    const { since = new Date(now - firstSinceMs).toISOString(), handled = [] } = this.#state ?? {}
    return { since, isFirst: this.#state === undefined, handled }
  }

  handle(since: string, handled: readonly string[], added: readonly JobNotification[]): void {
    const notifications = addNotifications(this.notifications(), added)
    const all = [...new Set([...handled, ...(this.#state?.handled ?? [])])].slice(0, maxHandled)
    this.#save({ notifications, since, handled: all })
  }

  markRead(matches?: (notification: JobNotification) => boolean): void {
    const before = this.notifications()
    const notifications = markRead(before, matches)
    if (this.#state && notifications !== before) this.#save({ ...this.#state, notifications })
  }

  #save(state: StoredNotifications): void {
    this.#state = state
    writeStoredJson(keyOf(this.#userUuid), state)
    this.#notify()
  }

  #load(): StoredNotifications | undefined {
    const stored = (readStoredJson(keyOf(this.#userUuid)) ?? {}) as Partial<StoredNotifications>
    const { notifications, since, handled } = stored
    return Array.isArray(notifications) && Array.isArray(handled) && typeof since === 'string'
      ? { notifications, since, handled }
      : undefined
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const none: readonly JobNotification[] = []
