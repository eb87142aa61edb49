import { querySystemTag } from '@wharf/contract'
import { useApiQuery } from '../../../data/api-query.ts'
import { parseObject } from './json-schema.ts'

/** The configuration of the last installation, without secrets. */
export function usePreviousConfig(packageUuid: string) {
  const { data, isPending, error } = useApiQuery(querySystemTag, {
    q: [`resourceUuid=${packageUuid}`, 'tag~=installConfig::%'],
    fields: ['tag'],
  })
  const tag = data?.inventories?.[0]?.tag?.slice('installConfig::'.length)
  return { config: parseObject(String(parseObject(tag)?.config ?? '')), isPending, error }
}
