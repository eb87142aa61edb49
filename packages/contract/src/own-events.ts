/** What Wharf can report about itself to a chat endpoint. */
export const ownEventNames = [
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
export type OwnEventName = (typeof ownEventNames)[number]
