import type { OwnEventName } from '@wharf/contract'
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
} as const satisfies Record<OwnEventName, true>

/** The events of Wharf itself. */
export const ownEventNames = Object.keys(named) as OwnEventName[]

/** The value of --own-events: names separated by commas, or `none`. */
export function parseOwnEvents(text: string | undefined): OwnEventName[] | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return []
  return text.split(',').map((part) => {
    const name = part.trim()
    if (Object.hasOwn(named, name)) return name as OwnEventName
    throw new UsageError(`invalid --own-events ${name}: expected none, or a list of ${ownEventNames.join(', ')}`)
  })
}
