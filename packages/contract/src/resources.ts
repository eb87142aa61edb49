/** Every resource of the API. */
export * from './access-keys.ts'
export * from './accounts.ts'
export * from './alert-actions.ts'
export * from './alert-histogram.ts'
export * from './alert-severities.ts'
export * from './alerts.ts'
export * from './api-jobs.ts'
export * from './audit-entries.ts'
export * from './backup-storage.ts'
export * from './candidate-hosts.ts'
export * from './chat-endpoints.ts'
export * from './cluster-plugins.ts'
export * from './device-logins.ts'
export * from './elaborations.ts'
export * from './events.ts'
export * from './host-labels.ts'
export * from './hosts.ts'
export * from './maintenance-windows.ts'
export * from './management-nodes.ts'
export * from './migration.ts'
export * from './oidc.ts'
export * from './package-upgrades.ts'
export * from './releases.ts'
export * from './rollout-actions.ts'
export * from './rollout-records.ts'
export * from './rollouts.ts'
export * from './second-factors.ts'
export * from './sessions.ts'
export * from './software-packages.ts'
export * from './system-events.ts'
export * from './tags.ts'

/** The description of each group; an operation of an unknown group stops the generation. */
export const resourceDescriptions: Readonly<Record<string, string>> = {
  'audit-entries': 'Who did what, from where and with which result, and the digests that prove it',
  'backup-storage': 'Storage for packages and images',
  'candidate-hosts': 'Hosts that announce themselves and could be added',
  alerts: 'Alerts of clusters and the templates of their messages',
  'chat-endpoints': 'Chat groups that receive alerts, and the persons they mention',
  'cluster-plugins': 'Storage clusters: add, form, monitor, remove',
  elaborations: 'Explanations of errors and their remedies',
  events: 'A stream of changes',
  hosts: 'The machines that run packages',
  identity: 'Sessions, accounts, users and access keys',
  jobs: 'Long operations: follow, cancel, read the log',
  'maintenance-windows': 'When rollouts may start work on hosts',
  'management-nodes': 'The processes that serve this API',
  migration: 'Images and virtual machines of the migration gateway',
  releases: 'Versions of software, published once and immutable',
  rollouts: 'Releases on many hosts: in waves, monitored, paused, rolled back',
  'software-packages': 'Upload, install, query',
  tags: 'Labels on resources',
}
