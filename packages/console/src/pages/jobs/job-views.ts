export const jobViews = ['all', 'mine', 'failed'] as const
export type JobView = (typeof jobViews)[number]

/** The view in the URL; all jobs when it names none. */
export const viewIn = (search: URLSearchParams): JobView =>
  jobViews.find((view) => view === search.get('view')) ?? 'all'

export function conditionsOfView(view: JobView, userUuid: string): string[] {
  if (view === 'mine') return [`userUuid=${userUuid}`]
  return view === 'failed' ? ['state=Failed'] : []
}

/** The URL of another view, with the same filter and order. */
export function searchOfView(search: URLSearchParams, view: JobView): string {
  const next = new URLSearchParams(search)
  for (const name of ['view', 'page']) next.delete(name)
  if (view !== 'all') next.set('view', view)
  return next.size === 0 ? '' : `?${next}`
}
