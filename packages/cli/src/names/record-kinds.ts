import type { Wharf } from '@wharf/sdk'

interface Kind {
  /** The singular name in messages. */
  readonly noun: string
  /** The field with the name. */
  readonly field: string
  /** The field that -o name prints, where the name does not identify a record. */
  readonly listedField?: string
  /** Of several records of a name, the only one with such a status is meant. */
  readonly currentStatuses?: readonly string[]
  /** Fields that distinguish records of the same name. */
  readonly distinction: readonly string[]
}

/** The records that commands accept by name, by their SDK group. */
export const namedKinds = {
  // a host keeps earlier versions of what is installed
  softwarePackages: {
    noun: 'package',
    field: 'name',
    currentStatuses: ['Installed', 'Initialized', 'InitializeFailed'],
    distinction: ['version', 'status', 'installPath'],
  },
  releases: { noun: 'release', field: 'name', listedField: 'uuid', distinction: ['version', 'state'] },
  rollouts: { noun: 'rollout', field: 'name', distinction: ['softwareName', 'version', 'state', 'createDate'] },
  maintenanceWindows: { noun: 'maintenance window', field: 'name', distinction: ['cron', 'timeZone'] },
  hosts: { noun: 'host', field: 'name', distinction: ['address', 'status'] },
  backupStorage: { noun: 'backup storage', field: 'name', distinction: ['url', 'status'] },
  clusterPlugins: { noun: 'cluster', field: 'name', distinction: ['managementIp'] },
  chatEndpoints: { noun: 'chat endpoint', field: 'name', distinction: ['type', 'url'] },
  alertPlatforms: { noun: 'alert platform', field: 'name', distinction: ['type', 'url'] },
  atPersons: { noun: 'person to mention', field: 'userId', distinction: ['endpointUuid', 'remark'] },
  accessKeys: { noun: 'access key', field: 'AccessKeyID', distinction: ['description'] },
  sessions: { noun: 'session', field: 'uuid', distinction: ['client', 'address'] },
  managementNodes: { noun: 'management node', field: 'hostName', distinction: ['status'] },
  accounts: { noun: 'account', field: 'name', distinction: [] },
  users: { noun: 'user', field: 'name', distinction: ['accountUuid'] },
  tags: { noun: 'tag', field: 'name', distinction: ['color'] },
  alerts: { noun: 'alert', field: 'name', distinction: ['status', 'severity', 'startsAt'] },
  deliveries: { noun: 'delivery', field: 'uuid', distinction: ['title', 'status'] },
  jobs: { noun: 'job', field: 'uuid', distinction: ['summary', 'state'] },
} as const satisfies Partial<Record<keyof Wharf, Kind>>

export type NamedKind = keyof typeof namedKinds
export const kindOf = (kind: NamedKind): Kind => namedKinds[kind]

/** `a host`, `a user`, `an access key` */
export const withArticle = (noun: string): string => `${/^([aeio]|u(?!s))/.test(noun) ? 'an' : 'a'} ${noun}`
