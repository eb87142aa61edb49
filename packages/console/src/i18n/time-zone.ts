import { useSyncExternalStore } from 'react'
import { storedChoice } from '../browser/stored-choice.ts'

/** Absolute times are shown in the zone of the browser or in UTC. */
export const timeZoneChoices = ['local', 'utc'] as const
export type TimeZoneChoice = (typeof timeZoneChoices)[number]

const choice = storedChoice('time-zone', timeZoneChoices, () => 'local')

export const useTimeZone = (): TimeZoneChoice => useSyncExternalStore(choice.subscribe, choice.read)

export const chooseTimeZone = choice.write
