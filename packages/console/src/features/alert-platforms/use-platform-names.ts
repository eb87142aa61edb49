import { queryThirdpartyPlatform } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'

const manyPlatforms = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

/** The name of an alert platform; its uuid while loading. */
export function usePlatformNames(): (uuid: string) => string {
  const { data } = useApiQuery(queryThirdpartyPlatform, manyPlatforms)
  const names = new Map(data?.inventories?.map(({ uuid, name }) => [uuid, name]))
  return (uuid) => names.get(uuid) ?? uuid
}

/** The filter shows platform names; its conditions contain uuids. */
export function usePlatformChoices(): { value: string; label: string }[] {
  const { data } = useApiQuery(queryThirdpartyPlatform, manyPlatforms)
  return (data?.inventories ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
}
