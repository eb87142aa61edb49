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
  /** The field that the text searches; the name by default. */
  readonly searched?: string
  readonly sort?: string
}

/** Records to choose from, searched on the server. */
export function useChoices<O extends CallableOperation>(
  operation: O,
  { text, chosen = '', only = [], searched = 'name', sort = '+name' }: Wanted,
): Choices<RecordOf<O>> {
  type Answer = { inventories?: RecordOf<O>[] } | undefined
  const inputOf = (q: readonly string[]) => ({ q, sort, limit: maxChoices }) as unknown as InputOf<O>
  const isChosen = (record: RecordOf<O>): boolean => (record as { uuid?: string }).uuid === chosen
  const list = useApiQuery(operation, inputOf([...only, ...matching(text, searched)]))
  const records = (list.data as Answer)?.inventories ?? []
  const inList = records.find(isChosen)
  const single = useApiQuery(operation, inputOf([`uuid=${chosen}`]), { enabled: chosen !== '' && inList === undefined })
  return {
    records,
    chosen: inList ?? (single.data as Answer)?.inventories?.find(isChosen),
    isPending: list.isPending || list.isPlaceholderData,
    hasMore: records.length === maxChoices,
    error: list.error ?? single.error,
  }
}

const matching = (text: string, field: string): string[] => {
  const value = text.trim()
  return value === ''
    ? []
    : conditionsOf({ operation: 'and', tokens: [{ propertyKey: field, operator: ':', value }] }, field)
}
