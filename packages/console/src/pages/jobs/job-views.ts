export const jobViews = ['all', 'mine', 'failed'] as const
export type JobView = (typeof jobViews)[number]

/** The view in the URL; all jobs when it names none. */
export const viewIn = (search: URLSearchParams): JobView =>
  jobViews.find((view) => view === search.get('view')) ?? 'all'

export function conditionsOfView(view: JobView, userUuid: string): string[] {
  if (view === 'mine') return [`userUuid=${userUuid}`]
  return view === 'failed' ? ['state=Failed'] : []
}
