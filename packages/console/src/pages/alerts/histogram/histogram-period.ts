const minute = 60_000
const hour = 60 * minute

/** Bars of a round length, about fifty. */
export const periods = {
  day: { intervalMs: 30 * minute, buckets: 48 },
  week: { intervalMs: 3 * hour, buckets: 56 },
  month: { intervalMs: 12 * hour, buckets: 60 },
} as const

export type Period = keyof typeof periods

/** Until the end of the current interval, so that bars start at round times and do not move. */
export function periodOf(period: Period, now: number): { from: string; to: string; buckets: number } {
  const { intervalMs, buckets } = periods[period]
  const to = now - (now % intervalMs) + intervalMs
  return { from: new Date(to - buckets * intervalMs).toISOString(), to: new Date(to).toISOString(), buckets }
}
