import { useQuery } from '@tanstack/react-query'
import { queryUserTag } from '@wharf/contract'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { readTags } from './read-tags.ts'

const none: ReadonlyMap<string, readonly string[]> = new Map()

/** The user tags of the records of a page; events of tags refetch them. */
export function useRecordTags(uuids: readonly string[], enabled: boolean): ReadonlyMap<string, readonly string[]> {
  const wharf = useWharf()
  const { data } = useQuery({
    queryKey: [queryUserTag.resource, 'tags of records', uuids],
    queryFn: ({ signal }) => readTags(wharf, uuids, signal),
    enabled: enabled && uuids.length > 0,
  })
  return data ?? none
}

/** More would not help in a list of suggestions. */
const maxSuggested = 500

/** Tags of records of a type, to suggest in the filter. */
export function useKnownTags(resourceType: string, enabled: boolean): readonly string[] {
  const recent = { q: [`resourceType=${resourceType}`], fields: ['tag'], sort: '-createDate', limit: maxSuggested }
  const { data } = useApiQuery(queryUserTag, recent, { enabled })
  return [...new Set(data?.inventories?.flatMap(({ tag }) => tag ?? []))].toSorted()
}
