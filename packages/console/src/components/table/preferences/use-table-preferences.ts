import { useState } from 'react'
import { readStoredJson, writeStoredJson } from '../../../browser/stored-json.ts'
import { useSession } from '../../../data/session.ts'
import { parsePreferences, type TablePreferences } from './table-preferences.ts'

export type ChangePreferences = (change: Partial<TablePreferences>) => void

/** The preferences of the signed-in user for a table, kept in this browser. */
export function useTablePreferences(
  table: string,
  columns: readonly { readonly field: string; readonly isOptional?: boolean }[],
): [TablePreferences, ChangePreferences] {
  const key = `wharf.table.${useSession()?.userUuid ?? ''}.${table}`
  const [stored, setStored] = useState<{ key: string; value: unknown }>()
  // read again when the component shows another table
  const value = stored?.key === key ? stored.value : readStoredJson(key)
  const preferences = parsePreferences(value, columns)
  return [
    preferences,
    (change) => {
      const next = { ...preferences, ...change }
      writeStoredJson(key, next)
      setStored({ key, value: next })
    },
  ]
}
