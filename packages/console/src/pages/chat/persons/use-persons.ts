import { queryAtPerson } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'

export interface RegisteredPerson {
  readonly uuid: string
  readonly userId: string
  readonly remark: string | null
}

/** In the order in which they are mentioned. */
export function usePersons(endpointUuid: string): readonly RegisteredPerson[] {
  const input = { q: [`endpointUuid=${endpointUuid}`], sort: '+createDate', limit: 1000 }
  const { data } = useAnswer(queryAtPerson, input)
  return (data?.inventories ?? []).map(({ uuid = '', userId = '', remark = null }) => ({ uuid, userId, remark }))
}
