import { linkTo, navigate, parseRoute } from '../browser/route.ts'

/** The filter, order and page of a list, kept in the URL. */
export interface ListState {
  readonly conditions: readonly string[]
  readonly sort: string
  readonly page: number
}

export function readListState(search: URLSearchParams, defaultSort: string): ListState {
  const page = Number(search.get('page'))
  return {
    conditions: search.getAll('q'),
    sort: search.get('sort') ?? defaultSort,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

export function navigateToList(
  path: readonly string[],
  { conditions, sort, page }: ListState,
  /** True replaces the history entry. */
  { replace }: { readonly replace: boolean },
): void {
  // other parts of the URL, such as the view of a list, stay
  const { search } = parseRoute(location.hash)
  for (const name of ['q', 'page']) search.delete(name)
  for (const condition of conditions) search.append('q', condition)
  search.set('sort', sort)
  if (page > 1) search.set('page', String(page))
  navigate(`${linkTo(path)}?${search}`, { replace })
}
