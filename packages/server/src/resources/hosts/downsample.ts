import type { Period } from '../../calls/read-period.ts'
import type { HostSample } from './host-sample-store.ts'

/** The length of the intervals that divide a period into at most so many points: a multiple of that of a sample. */
export function intervalOf(
  { from, to }: Period,
  { sampleMs, maxPoints }: { sampleMs: number; maxPoints: number },
): number {
  // the first and the last interval may each be partly outside the period
  return Math.max(1, Math.ceil((to - from) / (maxPoints - 1) / sampleMs)) * sampleMs
}

type Point = Omit<HostSample, 'hostUuid'>

/** One point for each interval that has samples, with their averages. The samples are in the order of time. */
export function downsample(samples: readonly HostSample[], intervalMs: number): Point[] {
  const byInterval = Map.groupBy(samples, ({ time }) => time - (time % intervalMs))
  return [...byInterval].map(([time, group]) => ({
    time,
    load1: average(group.map(({ load1 }) => load1)),
    processors: group.at(-1)?.processors ?? null,
    memoryUsedBytes: average(group.map(({ memoryUsedBytes }) => memoryUsedBytes)),
    memoryTotalBytes: average(group.map(({ memoryTotalBytes }) => memoryTotalBytes)),
    diskUsedBytes: average(group.map(({ diskUsedBytes }) => diskUsedBytes)) ?? 0,
    diskTotalBytes: average(group.map(({ diskTotalBytes }) => diskTotalBytes)) ?? 0,
    packagesDiskUsedBytes: average(group.map(({ packagesDiskUsedBytes }) => packagesDiskUsedBytes)),
    packagesDiskTotalBytes: average(group.map(({ packagesDiskTotalBytes }) => packagesDiskTotalBytes)),
  }))
}

/** Of the known values, rounded; null when none is known. */
function average(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length)
}
