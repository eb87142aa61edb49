import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../../browser/stored-json.ts'
import { useSession } from '../../../data/session.ts'
import { parseFilters, type SavedFilter, withFilter, withoutFilter } from './saved-filters.ts'

export interface SavedFilters {
  readonly filters: readonly SavedFilter[]
  readonly save: (filter: SavedFilter) => void
  readonly remove: (name: string) => void
}

/** The saved filters of the signed-in user for a table, kept in this browser. */
export function useSavedFilters(table: string): SavedFilters {
  const key = `wharf.filters.${useSession()?.userUuid ?? ''}.${table}`
  const [stored, setStored] = useState<{ key: string; filters: readonly SavedFilter[] }>()
  // read again when the component shows another table
  const filters = stored?.key === key ? stored.filters : parseFilters(readStoredJson(key))
  const set = (next: readonly SavedFilter[]): void => {
    writeStoredJson(key, next)
    setStored({ key, filters: next })
  }
  return {
    filters,
    save: (filter) => set(withFilter(filters, filter)),
    remove: (name) => set(withoutFilter(filters, name)),
  }
}
