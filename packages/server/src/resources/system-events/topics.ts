import { type SystemEventName, systemEventNames } from '@wharf/contract'

/** The events that report a state, by what it is a state of. Any other event is reported every time. */
const topics: Readonly<Partial<Record<SystemEventName, string>>> = {
  HostDisconnected: 'hostConnection',
  HostConnected: 'hostConnection',
  StorageAlmostFull: 'storageSpace',
  PackageUnhealthy: 'packageHealth',
}

export const topicOf = (event: SystemEventName): string | undefined => topics[event]

export const eventsOf = (topic: string): SystemEventName[] =>
  systemEventNames.filter((event) => topics[event] === topic)
