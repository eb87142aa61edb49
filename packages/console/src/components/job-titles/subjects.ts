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

/** What a job is about, as far as it is still there. */
export interface Subject {
  readonly uuid: string
  readonly name: string
  readonly hostUuid?: string | null
}

/** The page of a kind of record, and how its records are asked for. */
export const kinds = {
  packages: querySoftwarePackage,
  hosts: queryHost,
  'backup-storage': queryBackupStorage,
  clusters: queryClusterPlugin,
  chat: queryChatAppEndpoint,
} as const

export type Kind = keyof typeof kinds | 'migration'

/** The page that shows what the operation of a job is about. */
export function kindOf(operation: string): Kind | undefined {
  if (operation.includes('VmInstance')) return 'migration'
  if (operation.includes('SoftwarePackage')) return 'packages'
  if (operation.includes('BackupStorage')) return 'backup-storage'
  if (operation.includes('Cluster')) return 'clusters'
  if (operation.includes('ChatApp')) return 'chat'
  return operation === 'AddHost' ? 'hosts' : undefined
}

/** One call for all records of a kind, and none where none are wanted. */
export function useSubjects(kind: keyof typeof kinds, uuids: readonly string[]): readonly Subject[] {
  const wanted = [...new Set(uuids)].sort()
  const operation: CallableOperation = kinds[kind]
  const fields = kind === 'packages' ? ['uuid', 'name', 'hostUuid'] : ['uuid', 'name']
  const input = { q: [`uuid?=${wanted.join(',')}`], fields } as InputOf<typeof operation>
  const { data } = useApiQuery(operation, input, { enabled: wanted.length > 0 })
  return (data as { inventories?: Subject[] } | undefined)?.inventories ?? []
}

/** The hypervisors are asked for these, so only when it is about one. */
export function useMachines(isWanted: boolean): readonly Subject[] {
  return useApiQuery(getMigrateVmInstances, {}, { enabled: isWanted }).data?.gatewayVmInstances ?? []
}
