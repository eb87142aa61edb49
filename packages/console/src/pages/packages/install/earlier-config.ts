import { querySystemTag } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'
import { isObject, type JsonObject } from './json-schema.ts'

/** What the package was installed with last time, without its secrets; undefined while that is not known. */
export function useEarlierConfig(packageUuid: string) {
  const { data, isPending, error } = useAnswer(querySystemTag, {
    q: [`resourceUuid=${packageUuid}`, 'tag~=installConfig::%'],
    fields: ['tag'],
  })
  const tag = data?.inventories?.[0]?.tag?.slice('installConfig::'.length)
  return { config: parseObject(String(parseObject(tag)?.config ?? '')), isPending, error }
}

export function parseObject(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
