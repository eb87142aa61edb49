import type { SystemEventName } from '@wharf/contract'
import { UsageError } from '../../errors.ts'

const named = {
  RolloutPaused: true,
  RolloutFailed: true,
  RolloutSucceeded: true,
  JobFailed: true,
  HostDisconnected: true,
  HostConnected: true,
  StorageAlmostFull: true,
  PackageUnhealthy: true,
  AccessKeyExpires: true,
} as const satisfies Record<SystemEventName, true>

/** The events of Wharf itself. */
export const systemEventNames = Object.keys(named) as SystemEventName[]

/** The value of --own-events: names separated by commas, or `none`. */
export function parseSystemEvents(text: string | undefined): SystemEventName[] | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return []
  return text.split(',').map((part) => {
    const name = part.trim()
    if (Object.hasOwn(named, name)) return name as SystemEventName
    throw new UsageError(`invalid --own-events ${name}: expected none, or a list of ${systemEventNames.join(', ')}`)
  })
}
