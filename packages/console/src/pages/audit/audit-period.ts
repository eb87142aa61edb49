const hourMs = 3_600_000

export const auditPeriods = ['day', 'week', 'month', 'all'] as const
export type AuditPeriod = (typeof auditPeriods)[number]

const lengthsMs: Readonly<Record<Exclude<AuditPeriod, 'all'>, number>> = {
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
}

/** The period in the URL; all entries when it names none. */
export const periodIn = (search: URLSearchParams): AuditPeriod =>
  auditPeriods.find((period) => period === search.get('period')) ?? 'all'

/** The start of a period; undefined for all entries. */
export const startOf = (period: AuditPeriod, now: number): string | undefined =>
  period === 'all' ? undefined : new Date(now - lengthsMs[period]).toISOString()

/** The URL of another period, with the same filter and order. */
export function searchOfPeriod(search: URLSearchParams, period: AuditPeriod): string {
  const next = new URLSearchParams(search)
  for (const name of ['period', 'page']) next.delete(name)
  if (period !== 'all') next.set('period', period)
  return next.size === 0 ? '' : `?${next}`
}
