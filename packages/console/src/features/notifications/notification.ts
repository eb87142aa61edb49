import type { NamedJob, PauseReason, RolloutState } from '@wharf/contract'

export const endStates = ['Succeeded', 'Failed', 'Cancelled'] as const
export type EndState = (typeof endStates)[number]

interface Message {
  /** Milliseconds. */
  readonly at: number
  /** One line of the failure. */
  readonly reason?: string
  readonly isRead: boolean
}

/** A job of the user that has ended, with the names that its record had. */
export interface JobNotification extends NamedJob, Message {
  readonly jobUuid: string
  readonly subjectUuid: string | null
  readonly state: EndState
}

/** A rollout of the user that has paused or ended. */
export interface RolloutNotification extends Message {
  readonly rolloutUuid: string
  readonly name: string
  readonly state: ReportedRolloutState
  readonly pauseReason: PauseReason | null
}

export type ReportedRolloutState = Exclude<RolloutState, 'AwaitingApproval' | 'Scheduled' | 'Running' | 'RollingBack'>

export type Notification = JobNotification | RolloutNotification

/** Of all notifications of a user. A rollout may pause several times. */
export const idOf = (notification: Notification): string =>
  'jobUuid' in notification ? notification.jobUuid : `${notification.rolloutUuid} ${notification.at}`

/** Whether it is about the record of a page. */
export const isAbout = (notification: Notification, uuid: string): boolean =>
  'jobUuid' in notification
    ? uuid === notification.jobUuid || uuid === notification.subjectUuid
    : uuid === notification.rolloutUuid

/** The page that shows what a notification is about. */
export const pathOf = (notification: Notification): string[] =>
  'jobUuid' in notification ? ['jobs', notification.jobUuid] : ['rollouts', notification.rolloutUuid]

/** The user may have to do something. */
export const needsAttention = ({ state }: Notification): boolean =>
  ['Failed', 'Paused', 'RolledBack', 'RollbackFailed'].includes(state)

export const maxNotifications = 100

/** The newest first; each of them once. */
export function addNotifications(
  before: readonly Notification[],
  added: readonly Notification[],
): readonly Notification[] {
  const known = new Set(before.map(idOf))
  const fresh = added.filter((one) => !known.has(idOf(one)))
  return [...fresh, ...before].sort((a, b) => b.at - a.at).slice(0, maxNotifications)
}

export const countUnread = (notifications: readonly Notification[]): number =>
  notifications.filter(({ isRead }) => !isRead).length

/** Marks those that match; the same list when there are none. */
export function markRead(
  notifications: readonly Notification[],
  matches: (notification: Notification) => boolean = () => true,
): readonly Notification[] {
  if (!notifications.some((one) => !one.isRead && matches(one))) return notifications
  return notifications.map((one) => (matches(one) ? { ...one, isRead: true } : one))
}

const isMeaningful = (line: string): boolean => /[\p{L}\p{N}]/u.test(line)

/**
 * One line of the log lines `failed: SYS.1016 …`, without the code. The failure of a hook ends with the last lines that it
 * printed, of which the last one is the most specific.
 */
export function reasonIn([first = '', ...more]: readonly string[]): string {
  const text = first.replace(/^failed: (?:[A-Za-z]+\.\d+ )?/, '').trim()
  const [exit] = /^.* ended with exit code \d+:/.exec(text) ?? []
  const last = exit === undefined ? undefined : more.findLast(isMeaningful)
  return last === undefined ? text : `${exit} ${last.trim()}`
}
