import type { AnswerOf, getHostMetrics } from '@wharf/contract'
import { type Scale, scaleFor } from '../../../../components/charts/chart-scale.ts'

type Point = AnswerOf<typeof getHostMetrics>['points'][number]

export interface Values {
  readonly values: readonly (number | null)[]
}

export interface HostSeries {
  readonly load: Values & { readonly scale: Scale; readonly processors: number | null }
  readonly memory: Values & { readonly scale: Scale; readonly total: number }
  /** `packages`: absent when the packages folder is on the root file system. */
  readonly disk: Values & { readonly scale: Scale; readonly total: number; readonly packages?: Values }
}

/** The lines of a host's charts. Memory and disks are drawn against their whole size. */
export function hostSeries(points: readonly Point[]): HostSeries {
  const last = points.at(-1)
  const load = points.map(({ load1 }) => load1)
  const memoryTotal = last?.memoryTotalBytes ?? 0
  const diskTotal = last?.diskTotalBytes ?? 0
  const packagesTotal = last?.packagesDiskTotalBytes ?? 0
  const isSeparate = packagesTotal > 0 && packagesTotal !== diskTotal
  return {
    load: { values: load, scale: scaleFor(largest(load)), processors: last?.processors ?? null },
    memory: {
      values: points.map(({ memoryUsedBytes }) => memoryUsedBytes),
      scale: scaleFor(memoryTotal, { base: 1024 }),
      total: memoryTotal,
    },
    disk: {
      values: points.map(({ diskUsedBytes }) => diskUsedBytes),
      scale: scaleFor(Math.max(diskTotal, isSeparate ? packagesTotal : 0), { base: 1024 }),
      total: diskTotal,
      ...(isSeparate && { packages: { values: points.map(({ packagesDiskUsedBytes }) => packagesDiskUsedBytes) } }),
    },
  }
}

const largest = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0))
