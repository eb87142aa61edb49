/** What Wharf can report about itself to a chat endpoint. */
export const systemEventNames = [
  'RolloutPaused',
  'RolloutFailed',
  'RolloutSucceeded',
  'JobFailed',
  'HostDisconnected',
  'HostConnected',
  'StorageAlmostFull',
  'PackageUnhealthy',
  'AccessKeyExpires',
] as const
export type SystemEventName = (typeof systemEventNames)[number]

/**
 * @deprecated Former name of systemEventNames.
 * @alias
 */
export const ownEventNames = systemEventNames
/** @deprecated Former name of SystemEventName. */
export type OwnEventName = SystemEventName
