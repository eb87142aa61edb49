import type { Wharf } from '@wharf/sdk'

interface Kind {
  /** What people call one of them. */
  readonly noun: string
  /** The field that they know it by. */
  readonly field: string
  /** Tells those of the same name apart. */
  readonly distinction: readonly string[]
}

/** The records that can be named, by their group of the SDK. */
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
  jobs: { noun: 'job', field: 'uuid', distinction: ['operation', 'state'] },
} as const satisfies Partial<Record<keyof Wharf, Kind>>

export type NamedKind = keyof typeof namedKinds
export const kindOf = (kind: NamedKind): Kind => namedKinds[kind]
