import Box from '@cloudscape-design/components/box'
import { type AnswerOf, getHostMetrics } from '@wharf/contract'
import { useMemo, useState } from 'react'
import { useNow } from '../../../../browser/use-now.ts'
import { ChartContainer } from '../../../../components/charts/ChartContainer.tsx'
import { LineChart } from '../../../../components/charts/LineChart.tsx'
import { parseTime } from '../../../../components/parse-time.ts'
import { useApiQuery } from '../../../../data/api-query.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { useMessages } from '../../../../i18n/use-messages.ts'
import './host-charts.css'
import { hostSeries } from './host-series.ts'
import { messages } from './messages.ts'

const hourMs = 3_600_000
const ranges = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
type Range = keyof typeof ranges

/** No event reports a sample; the server stores one every five minutes. */
const pollMs = 60_000
const sampleMs = 300_000

/** Load, memory and disk of a host over the last hours or days. */
export function HostCharts({ hostUuid }: { hostUuid: string }) {
  const t = useMessages(messages)
  const [range, setRange] = useState<Range>('hour')
  const from = new Date(useNow(sampleMs) - ranges[range]).toISOString()
  const { data, error } = useApiQuery(getHostMetrics, { uuid: hostUuid, from }, { pollMs })
  return (
    <ChartContainer
      title={t.usage}
      label={t.range}
      periods={t.ranges}
      period={range}
      onPeriodChange={setRange}
      error={error}
    >
      {data ? <Charts metrics={data} /> : undefined}
    </ChartContainer>
  )
}

function Charts({ metrics }: { metrics: AnswerOf<typeof getHostMetrics> }) {
  const t = useMessages(messages)
  const format = useFormat()
  const { points, intervalSeconds } = metrics
  const times = useMemo(() => points.map(({ time }) => parseTime(time).getTime()), [points])
  const { load, memory, disk } = useMemo(() => hostSeries(points), [points])
  if (points.length === 0) return <Box color="text-body-secondary">{t.noSamples}</Box>
  const domain = { from: parseTime(metrics.from).getTime(), to: parseTime(metrics.to).getTime() }
  const shared = { domain, times, intervalMs: intervalSeconds * 1000 }
  const first = '--chart-first' as const
  return (
    <div className="host-charts">
      <LineChart
        {...shared}
        title={load.processors === null ? t.load : t.loadOf(format.number(load.processors))}
        scale={load.scale}
        series={[{ label: t.load, colour: first, values: load.values }]}
        formatValue={format.number}
      />
      {memory.total > 0 ? (
        <LineChart
          {...shared}
          title={t.memoryOf(format.bytes(memory.total))}
          scale={memory.scale}
          series={[{ label: t.used, colour: first, values: memory.values }]}
          formatValue={format.bytes}
        />
      ) : null}
      <LineChart
        {...shared}
        title={t.diskOf(format.bytes(disk.total))}
        scale={disk.scale}
        series={[
          { label: disk.packages ? '/' : t.used, colour: first, values: disk.values },
          ...(disk.packages
            ? [{ label: t.packages, colour: '--chart-second' as const, values: disk.packages.values }]
            : []),
        ]}
        formatValue={format.bytes}
      />
    </div>
  )
}
