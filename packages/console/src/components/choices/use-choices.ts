import type { CallableOperation, InputOf } from '@wharf/sdk'
import { useApiQuery } from '../../data/api-query.ts'
import { conditionsOf } from '../filter-query.ts'
import type { RecordOf } from '../ResourceTable.tsx'

/** Users search by name instead of reading a longer list. */
const maxChoices = 50

export interface Choices<R> {
  readonly records: readonly R[]
  /** The chosen record, even if it is not listed. */
  readonly chosen: R | undefined
  readonly isPending: boolean
  /** More records may exist than are listed. */
  readonly hasMore: boolean
  readonly error: Error | null
}

interface Wanted {
  readonly text: string
  readonly chosen?: string | undefined
  /** Conditions in addition to the search. */
  readonly only?: readonly string[]
}

/** Records to choose from, searched by name on the server. */
export function useChoices<O extends CallableOperation>(
  operation: O,
  { text, chosen = '', only = [] }: Wanted,
): Choices<RecordOf<O>> {
  type Answer = { inventories?: RecordOf<O>[] } | undefined
  const asked = (q: readonly string[]) => ({ q, sort: '+name', limit: maxChoices }) as unknown as InputOf<O>
  const isChosen = (record: RecordOf<O>): boolean => (record as { uuid?: string }).uuid === chosen
  const listed = useApiQuery(operation, asked([...only, ...named(text)]))
  const records = (listed.data as Answer)?.inventories ?? []
  const among = records.find(isChosen)
  const alone = useApiQuery(operation, asked([`uuid=${chosen}`]), { enabled: chosen !== '' && among === undefined })
  return {
    records,
    chosen: among ?? (alone.data as Answer)?.inventories?.find(isChosen),
    isPending: listed.isPending || listed.isPlaceholderData,
    hasMore: records.length === maxChoices,
    error: listed.error ?? alone.error,
  }
}

const named = (text: string): string[] => {
  const value = text.trim()
  return value === ''
    ? []
    : conditionsOf({ operation: 'and', tokens: [{ propertyKey: 'name', operator: ':', value }] }, 'name')
}
