import { getMigrateVmInstances } from '@wharf/contract'
import type { CallableOperation, InputOf } from '@wharf/sdk'
import { useApiQuery } from '../../data/api-query.ts'
import type { Subject } from './job-title.ts'
import { kinds } from './record-kind.ts'

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
