import { type AnswerOf, queryHost } from '@wharf/contract'
import { useApiQuery } from '../data/api-query.ts'

type Hosts = AnswerOf<typeof queryHost>
type Names = ReadonlyMap<string, string>

const fields = ['uuid', 'name']
/** Further hosts are queried one by one. */
const someHosts = { fields, sort: '+name', limit: 1000 }
const noNames: Names = new Map()

/** By the answer: every row of a table looks a host up. */
const namesByAnswer = new WeakMap<Hosts, Names>()

function namesIn(hosts: Hosts): Names {
  const names = namesByAnswer.get(hosts) ?? new Map(hosts.inventories?.map(({ uuid = '', name = '' }) => [uuid, name]))
  namesByAnswer.set(hosts, names)
  return names
}

/** The names of hosts, in one query for a whole table; undefined while loading. */
export function useSomeHostNames(): Names | undefined {
  const { data } = useApiQuery(queryHost, someHosts)
  return data && namesIn(data)
}

export const useHostNames = (): Names => useSomeHostNames() ?? noNames

/** The name of one host, queried alone; its uuid while loading. */
export function useHostName(uuid: string): string {
  const { data } = useApiQuery(queryHost, { q: [`uuid=${uuid}`], fields })
  return data?.inventories?.find((host) => host.uuid === uuid)?.name ?? uuid
}
