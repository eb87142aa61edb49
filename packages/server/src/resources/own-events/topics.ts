import { type OwnEventName, ownEventNames } from '@wharf/contract'

/** The events that report a state, by what it is a state of. Any other event is reported every time. */
const topics: Readonly<Partial<Record<OwnEventName, string>>> = {
  HostDisconnected: 'hostConnection',
  HostConnected: 'hostConnection',
  StorageAlmostFull: 'storageSpace',
  PackageUnhealthy: 'packageHealth',
}

export const topicOf = (event: OwnEventName): string | undefined => topics[event]

export const eventsOf = (topic: string): OwnEventName[] => ownEventNames.filter((event) => topics[event] === topic)
