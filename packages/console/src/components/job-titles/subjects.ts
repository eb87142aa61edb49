import {
  getMigrateVmInstances,
  queryBackupStorage,
  queryChatAppEndpoint,
  queryClusterPlugin,
  queryHost,
  querySoftwarePackage,
} from '@wharf/contract'
import type { CallableOperation, InputOf } from '@wharf/sdk'
import { useApiQuery } from '../../data/api-query.ts'

/** The record that a job works on. */
export interface Subject {
  readonly uuid: string
  readonly name: string
  readonly hostUuid?: string | null
}

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
  if (operation.includes('SoftwarePackage')) return 'packages'
  if (operation.includes('BackupStorage')) return 'backup-storage'
  if (operation.includes('Cluster')) return 'clusters'
  if (operation.includes('ChatApp')) return 'chat'
  return operation === 'AddHost' ? 'hosts' : undefined
}

/** One query for all records of a kind, and none without uuids. */
export function useSubjects(kind: keyof typeof kinds, uuids: readonly string[]): readonly Subject[] {
  const wanted = [...new Set(uuids)].sort()
  const operation: CallableOperation = kinds[kind]
  const fields = kind === 'packages' ? ['uuid', 'name', 'hostUuid'] : ['uuid', 'name']
  const input = { q: [`uuid?=${wanted.join(',')}`], fields } as InputOf<typeof operation>
  const { data } = useApiQuery(operation, input, { enabled: wanted.length > 0 })
  return (data as { inventories?: Subject[] } | undefined)?.inventories ?? []
}

/** The server queries the hypervisors for these, so only when a job needs one. */
export function useMachines(isWanted: boolean): readonly Subject[] {
  return useApiQuery(getMigrateVmInstances, {}, { enabled: isWanted }).data?.gatewayVmInstances ?? []
}
