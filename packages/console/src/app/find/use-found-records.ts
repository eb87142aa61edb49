import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { InputOf } from '@wharf/sdk'
import { messages as titleMessages } from '../../components/job-titles/messages.ts'
import { useDebounced } from '../../components/use-debounced.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import type { FindEntry } from './find-entry.ts'
import { isSearchable, recordEntry, recordKinds, recordQuery } from './record-kinds.ts'

/** Long enough for a fast typist. */
const debounceMs = 200

interface FoundRecords {
  readonly entries: readonly FindEntry[]
  readonly isSearching: boolean
  /** Only if no kind could be searched. */
  readonly error: Error | null
}

/** The records of all kinds that the server finds by name. A superseded search is aborted. */
export function useFoundRecords(text: string): FoundRecords {
  const wharf = useWharf()
  const titles = useMessages(titleMessages)
  const settled = useDebounced(text, debounceMs)
  const isEnabled = isSearchable(settled)
  const results = useQueries({
    queries: recordKinds.map((kind) => {
      const { operation } = kind
      const input = recordQuery(kind, settled)
      return {
        queryKey: [operation.resource, operation.name, input],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          wharf.call(operation, input as unknown as InputOf<typeof operation>, { signal }),
        enabled: isEnabled,
        placeholderData: keepPreviousData,
      }
    }),
  })
  const entries = results.flatMap(({ data }, index) => {
    const kind = recordKinds[index]
    const records = (data as { inventories?: Record<string, unknown>[] } | undefined)?.inventories ?? []
    return kind && isEnabled ? records.map((record) => recordEntry(kind, record, titles)) : []
  })
  return {
    entries,
    isSearching: isSearchable(text) && (settled !== text || results.some(({ isFetching }) => isFetching)),
    error: results.every(({ error }) => error) ? (results[0]?.error ?? null) : null,
  }
}
