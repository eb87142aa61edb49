import { queryAtPerson } from '@wharf/contract'
import { useApiQuery } from '../../../data/api-query.ts'

export interface RegisteredPerson {
  readonly uuid: string
  readonly userId: string
  readonly remark: string | null
}

/** In the order of their mentions. */
export function usePersons(endpointUuid: string): { persons: readonly RegisteredPerson[]; error: Error | null } {
  const input = { q: [`endpointUuid=${endpointUuid}`], sort: '+createDate', limit: 1000 }
  const { data, error } = useApiQuery(queryAtPerson, input)
  const persons = (data?.inventories ?? []).map(({ uuid = '', userId = '', remark = null }) => ({
    uuid,
    userId,
    remark,
  }))
  return { persons, error }
}
