import { type AnswerOf, type FieldsOf, type getHostMetrics, maxMetricPoints, type Recorded } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { readPeriod } from '../../calls/read-period.ts'
import { downsample, intervalOf } from './downsample.ts'
import type { HostMeasurement, Usage } from './driver.ts'
import { type HostSample, HostSampleStore } from './host-sample-store.ts'

/** At most one sample of a host per interval is stored, whichever node probes it. */
const sampleMs = 300_000
const keepSamplesMs = 7 * 86_400_000
const defaultPeriodMs = 3_600_000

interface HostMetricsDeps {
  readonly database: Database
  readonly clock: Clock
}

/** The measurements of hosts over the last days. */
export class HostMetrics {
  readonly #deps: HostMetricsDeps
  readonly #store: HostSampleStore

  constructor(deps: HostMetricsDeps) {
    this.#deps = deps
    this.#store = new HostSampleStore(deps.database)
  }

  record(tx: Tx, hostUuid: string, measurement: HostMeasurement): Promise<void> {
    const now = this.#deps.clock.now()
    return this.#store.insert(tx, sampleOf(hostUuid, now - (now % sampleMs), measurement))
  }

  async read(
    hostUuid: string,
    fields: FieldsOf<typeof getHostMetrics>,
    timeZone: string,
  ): Promise<Recorded<AnswerOf<typeof getHostMetrics>>> {
    const period = readPeriod(fields, { now: this.#deps.clock.now(), defaultMs: defaultPeriodMs, timeZone })
    const samples = await this.#store.list(hostUuid, period)
    const intervalMs = intervalOf(period, { sampleMs, maxPoints: maxMetricPoints })
    const points = downsample(samples, intervalMs).map(({ load1, ...others }) => ({
      ...others,
      load1: load1 === null ? null : load1 / 100,
    }))
    return { ...period, intervalSeconds: intervalMs / 1000, points }
  }

  async removeOld(): Promise<void> {
    const before = this.#deps.clock.now() - keepSamplesMs
    await deleteInBatches(this.#deps.database, (tx, limit) => this.#store.deleteBefore(tx, before, limit))
  }
}

function sampleOf(hostUuid: string, time: number, measurement: HostMeasurement): HostSample {
  const { disk, packagesDisk, memory, load1, processors } = measurement
  return {
    hostUuid,
    time,
    load1: load1 === null ? null : Math.round(load1 * 100),
    processors,
    memoryUsedBytes: memory && usedBytes(memory),
    memoryTotalBytes: memory?.totalCapacity ?? null,
    diskUsedBytes: usedBytes(disk),
    diskTotalBytes: disk.totalCapacity,
    packagesDiskUsedBytes: packagesDisk && usedBytes(packagesDisk),
    packagesDiskTotalBytes: packagesDisk?.totalCapacity ?? null,
  }
}

const usedBytes = ({ totalCapacity, availableCapacity }: Usage): number =>
  Math.max(0, totalCapacity - availableCapacity)
