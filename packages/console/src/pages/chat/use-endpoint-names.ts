import { queryChatAppEndpoint } from '@wharf/contract'
import { useAnswer } from '../../wharf/answers.ts'

const manyEndpoints = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

/** The name of a chat endpoint; its uuid while that is not known. */
export function useEndpointNames(): (uuid: string) => string {
  const { data } = useAnswer(queryChatAppEndpoint, manyEndpoints)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  return (uuid) => names.get(uuid) ?? uuid
}

/** To filter by: the endpoints by name, though conditions name their uuids. */
export function useEndpointChoices(): { value: string; label: string }[] {
  const { data } = useAnswer(queryChatAppEndpoint, manyEndpoints)
  return (data?.inventories ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
}
