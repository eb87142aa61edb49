import { useState } from 'react'
import { type ListState, navigateToList, readListState } from '../list-state.ts'

export type ShowList = (change: Partial<ListState>, how?: { readonly replace: boolean }) => void

/** The filter, order and page of a list: in the URL, or in memory for a list that has no filter. */
export function useListState(
  search: URLSearchParams | undefined,
  path: readonly string[],
  defaultSort: string,
): [ListState, ShowList] {
  const [inMemory, setInMemory] = useState<ListState>({ conditions: [], sort: defaultSort, page: 1 })
  const state = search ? readListState(search, defaultSort) : inMemory
  return [
    state,
    (change, how = { replace: false }) => {
      const next = { ...state, page: 1, ...change }
      if (search) navigateToList(path, next, how)
      else setInMemory(next)
    },
  ]
}
