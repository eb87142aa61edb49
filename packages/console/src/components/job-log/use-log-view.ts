import { useSyncExternalStore } from 'react'
import { storedChoice } from '../../browser/stored-choice.ts'
import { type TimeZoneChoice, useTimeZone } from '../../i18n/time-zone.ts'

export const wrapChoice = storedChoice('log.wrap', ['on', 'off'] as const, () => 'on')
export const timesChoice = storedChoice('log.times', ['on', 'off'] as const, () => 'off')

export interface LogView {
  readonly isWrapped: boolean
  readonly hasTimes: boolean
  readonly zone: TimeZoneChoice
}

/** How the user wants to see logs, kept in the browser. */
export function useLogView(): LogView {
  const wrap = useSyncExternalStore(wrapChoice.subscribe, wrapChoice.read)
  const times = useSyncExternalStore(timesChoice.subscribe, timesChoice.read)
  const zone = useTimeZone()
  return { isWrapped: wrap === 'on', hasTimes: times === 'on', zone }
}
