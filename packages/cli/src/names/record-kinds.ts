import type { Wharf } from '@wharf/sdk'

interface Kind {
  /** The singular name in messages. */
  readonly noun: string
  /** The field with the name. */
  readonly field: string
  /** Fields that distinguish records of the same name. */
  readonly distinction: readonly string[]
}

/** The records that commands accept by name, by their SDK group. */
export const namedKinds = {
  softwarePackages: { noun: 'package', field: 'name', distinction: ['status', 'installPath'] },
  hosts: { noun: 'host', field: 'name', distinction: ['address', 'status'] },
  backupStorage: { noun: 'backup storage', field: 'name', distinction: ['url', 'status'] },
  clusterPlugins: { noun: 'cluster', field: 'name', distinction: ['managementIp'] },
  chatEndpoints: { noun: 'chat endpoint', field: 'name', distinction: ['type', 'url'] },
  alertPlatforms: { noun: 'alert platform', field: 'name', distinction: ['type', 'url'] },
  atPersons: { noun: 'person to mention', field: 'userId', distinction: ['endpointUuid', 'remark'] },
  accessKeys: { noun: 'access key', field: 'AccessKeyID', distinction: ['description'] },
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

/** `a host`, `an access key` */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
