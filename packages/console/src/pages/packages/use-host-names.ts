import { queryHost } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'

/** One beyond is asked for by itself where it is shown, and filtered by its uuid. */
const someHosts = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

/** What hosts are called, asked for once for all of a table. */
export function useHostNames(): ReadonlyMap<string, string> {
  const { data } = useApiQuery(queryHost, someHosts)
  return new Map(data?.inventories?.map(({ uuid = '', name = '' }) => [uuid, name]))
}

/** The name of one; its uuid while that is not known. */
export function useHostName(uuid: string): string {
  const { data } = useApiQuery(queryHost, someHosts)
  const isMissing = data !== undefined && !data.inventories?.some((host) => host.uuid === uuid)
  const alone = useApiQuery(queryHost, { q: [`uuid=${uuid}`], fields: ['uuid', 'name'] }, { enabled: isMissing })
  const known = [...(data?.inventories ?? []), ...(alone.data?.inventories ?? [])]
  return known.find((host) => host.uuid === uuid)?.name ?? uuid
}
