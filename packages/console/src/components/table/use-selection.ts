import { useState } from 'react'

/** The selected records, across pages; another filter starts with none. */
export function useSelection<R>(
  records: readonly R[],
  keyOf: (record: R) => string,
  filter: readonly string[],
): [readonly R[], (records: readonly R[]) => void] {
  const filterKey = filter.join('\n')
  const [selection, setSelection] = useState<{ filterKey: string; records: readonly R[] }>({ filterKey, records: [] })
  const current = new Map(records.map((record) => [keyOf(record), record]))
  const selected = selection.filterKey === filterKey ? selection.records : []
  return [
    // a record may have changed since it was selected
    selected.map((record) => current.get(keyOf(record)) ?? record),
    (next) => setSelection({ filterKey, records: next }),
  ]
}
