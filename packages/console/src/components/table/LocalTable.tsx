import type { ApiCall } from '../copy-command/command-text.ts'
import type { ListProps } from './list-props.ts'
import { localSource } from './local-source.ts'
import { useTablePreferences } from './preferences/use-table-preferences.ts'
import { RecordTable } from './RecordTable.tsx'
import { useListState } from './use-list-state.ts'

interface LocalTableProps<R> extends ListProps<R> {
  /** Undefined while loading. */
  readonly records: readonly R[] | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => void
  /** The call that returns the list. */
  readonly call: ApiCall
  readonly keyOf: (record: R) => string
  readonly defaultSort: string
  /** The filter is in the URL; a list without `search` has none. */
  readonly search?: URLSearchParams
}

/** A list that the API returns whole. */
export function LocalTable<R extends object>(props: LocalTableProps<R>) {
  const { records, error, isFetching, refetch, call, search, defaultSort, ...list } = props
  const [preferences, onPreferences] = useTablePreferences(list.path.join('/'), list.columns)
  const [state, show] = useListState(search, list.path, defaultSort)
  return (
    <RecordTable
      {...list}
      source={localSource({ records, error, isFetching, refetch, call }, state, preferences.pageSize)}
      state={state}
      show={show}
      preferences={preferences}
      onPreferences={onPreferences}
      filterFields={search ? [] : undefined}
    />
  )
}
