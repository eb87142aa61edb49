import type { CallableOperation } from '@wharf/sdk'
import { useMessages } from '../i18n/use-messages.ts'
import { useHistoryLink } from './record-history/use-history-link.tsx'
import type { RecordOf } from './table/column.ts'
import type { ListProps } from './table/list-props.ts'
import { messages } from './table/messages.ts'
import { useTablePreferences } from './table/preferences/use-table-preferences.ts'
import { RecordTable } from './table/RecordTable.tsx'
import { systemTagField, userTagField } from './table/tags/read-tags.ts'
import { useKnownTags } from './table/tags/use-record-tags.ts'
import { useTagColumn } from './table/tags/use-tag-column.tsx'
import { useApiSource } from './table/use-api-source.ts'
import { useListState } from './table/use-list-state.ts'

export type { BulkAction } from './table/bulk/bulk-action.ts'
export type { Column, RecordOf } from './table/column.ts'

interface ResourceTableProps<O extends CallableOperation> extends ListProps<RecordOf<O>> {
  readonly operation: O
  readonly search: URLSearchParams
  readonly defaultSort?: string
  /** Conditions in addition to the filter. */
  readonly only?: readonly string[]
  /** The condition of the query for a condition of the filter; by default the same. */
  readonly conditionOf?: (condition: string) => string
  /** Records that can be created with tags have a column of them. */
  readonly hasTags?: boolean
}

const keyOf = (record: unknown): string => (record as { readonly uuid?: string }).uuid ?? ''

const same = (condition: string): string => condition

/** A collection of the API, filtered, sorted and paged by the server. */
export function ResourceTable<O extends CallableOperation>(props: ResourceTableProps<O>) {
  const {
    operation,
    search,
    defaultSort = '-createDate',
    only = [],
    conditionOf = same,
    hasTags = false,
    ...list
  } = props
  const { path } = list
  const columns = useHistoryLink(operation, list.columns)
  const t = useMessages(messages)
  const knownTags = useKnownTags(operation.queries?.events[0] ?? '', hasTags)
  const [preferences, onPreferences] = useTablePreferences(path.join('/'), [
    ...columns,
    // shown by default as soon as a record has a tag
    ...(hasTags ? [{ field: userTagField, isOptional: knownTags.length === 0 }] : []),
  ])
  const [state, show] = useListState(search, path, defaultSort)
  const records = useApiSource(operation, state, [...only, ...state.conditions.map(conditionOf)], preferences.pageSize)
  const isShown = preferences.contentDisplay.some(({ id, visible }) => visible && id === userTagField)
  const { column, source } = useTagColumn(records, { keyOf, path, knownTags, isShown })
  return (
    <RecordTable
      {...list}
      columns={hasTags ? [...columns, column] : columns}
      source={source}
      keyOf={keyOf}
      state={state}
      only={only}
      show={show}
      preferences={preferences}
      onPreferences={onPreferences}
      filterFields={hasTags ? [{ field: systemTagField, label: t.systemTags }] : []}
    />
  )
}
