import { queryHost } from '@wharf/contract'
import { useApiQuery } from '../data/api-query.ts'

/** Further hosts are queried one by one. */
const someHosts = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

/** The names of the hosts, in one query for a whole table. */
export function useHostNames(): ReadonlyMap<string, string> {
  const { data } = useApiQuery(queryHost, someHosts)
  return new Map(data?.inventories?.map(({ uuid = '', name = '' }) => [uuid, name]))
}

/** The name of a host; its uuid while loading. */
export function useHostName(uuid: string): string {
  const { data } = useApiQuery(queryHost, someHosts)
  const isMissing = data !== undefined && !data.inventories?.some((host) => host.uuid === uuid)
  const alone = useApiQuery(queryHost, { q: [`uuid=${uuid}`], fields: ['uuid', 'name'] }, { enabled: isMissing })
  const known = [...(data?.inventories ?? []), ...(alone.data?.inventories ?? [])]
  return known.find((host) => host.uuid === uuid)?.name ?? uuid
}
