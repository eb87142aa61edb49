import { queryChatAppEndpoint } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'

const manyEndpoints = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

/** The name of a chat endpoint; its uuid while loading. */
export function useEndpointNames(): (uuid: string) => string {
  const { data } = useApiQuery(queryChatAppEndpoint, manyEndpoints)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  return (uuid) => names.get(uuid) ?? uuid
}

/** The filter shows endpoint names; its conditions contain uuids. */
export function useEndpointChoices(): { value: string; label: string }[] {
  const { data } = useApiQuery(queryChatAppEndpoint, manyEndpoints)
  return (data?.inventories ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
}
