import {
  queryBackupStorage,
  queryChatAppEndpoint,
  queryClusterPlugin,
  queryHost,
  querySoftwarePackage,
} from '@wharf/contract'

/** The query of each page that shows records of jobs. */
export const kinds = {
  packages: querySoftwarePackage,
  hosts: queryHost,
  'backup-storage': queryBackupStorage,
  clusters: queryClusterPlugin,
  chat: queryChatAppEndpoint,
} as const

export type Kind = keyof typeof kinds | 'migration'

/** The page that shows the record of a job. */
export function kindOf(operation: string): Kind | undefined {
  if (operation.includes('VmInstance')) return 'migration'
  if (operation.includes('SoftwarePackage') || operation === 'PublishRelease') return 'packages'
  if (operation.includes('BackupStorage')) return 'backup-storage'
  if (operation.includes('Cluster')) return 'clusters'
  if (operation.includes('ChatApp')) return 'chat'
  return operation.endsWith('Host') || operation === 'RotateHostKey' ? 'hosts' : undefined
}
