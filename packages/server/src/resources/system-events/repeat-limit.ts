import type { SystemEventName } from '@wharf/contract'

/** A host that connects and disconnects constantly causes one message in this time. */
export const repeatMs = 10 * 60_000

export interface LastMessage {
  readonly sentEvent: SystemEventName
  readonly sentDate: number
  readonly heldEvent: string | null
}

/** `hold`: report it at the end of the interval. `ignore`: the last message reports this state. */
export type Decision = 'send' | 'hold' | 'ignore'

/** A time in the future is of a clock that was set back, so it counts as past. */
export const isOver = (sentDate: number, now: number): boolean => now - sentDate >= repeatMs || sentDate > now

/** What to do with the new state of something, after the last message about it. */
export function decide(last: LastMessage | undefined, event: SystemEventName, now: number): Decision {
  if (last === undefined) return 'send'
  const isReported = event === last.sentEvent
  if (!isOver(last.sentDate, now)) return isReported ? 'ignore' : 'hold'
  // the opposite was never reported, so nothing has changed for the reader
  return isReported && last.heldEvent !== null ? 'ignore' : 'send'
}
