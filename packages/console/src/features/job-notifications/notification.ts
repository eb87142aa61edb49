import type { NamedJob } from '@wharf/contract'

export const endStates = ['Succeeded', 'Failed', 'Cancelled'] as const
export type EndState = (typeof endStates)[number]

/** A job of the user that has ended, with the names that its record had. */
export interface JobNotification extends NamedJob {
  readonly jobUuid: string
  readonly subjectUuid: string | null
  readonly state: EndState
  /** Milliseconds. */
  readonly endedAt: number
  /** One line of the failure. */
  readonly reason?: string
  readonly isRead: boolean
}

export const maxNotifications = 100

/** The newest first; a job has one notification. */
export function addNotifications(
  before: readonly JobNotification[],
  added: readonly JobNotification[],
): readonly JobNotification[] {
  const known = new Set(before.map(({ jobUuid }) => jobUuid))
  const fresh = added.filter(({ jobUuid }) => !known.has(jobUuid))
  return [...fresh, ...before].sort((a, b) => b.endedAt - a.endedAt).slice(0, maxNotifications)
}

export const countUnread = (notifications: readonly JobNotification[]): number =>
  notifications.filter(({ isRead }) => !isRead).length

/** Marks those that match; the same list when there are none. */
export function markRead(
  notifications: readonly JobNotification[],
  matches: (notification: JobNotification) => boolean = () => true,
): readonly JobNotification[] {
  if (!notifications.some((one) => !one.isRead && matches(one))) return notifications
  return notifications.map((one) => (matches(one) ? { ...one, isRead: true } : one))
}

const isMeaningful = (line: string): boolean => /[\p{L}\p{N}]/u.test(line)

/**
 * One line of the log lines `failed: SYS.1016 …`, without the code. The failure of a hook ends with the last lines that it
 * printed, of which the last one says most.
 */
export function reasonIn([first = '', ...more]: readonly string[]): string {
  const text = first.replace(/^failed: (?:[A-Za-z]+\.\d+ )?/, '').trim()
  const [exit] = /^.* ended with exit code \d+:/.exec(text) ?? []
  const last = exit === undefined ? undefined : more.findLast(isMeaningful)
  return last === undefined ? text : `${exit} ${last.trim()}`
}
