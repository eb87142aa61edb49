import { type AlertSeverity, alertSeverities, getThirdpartyAlertHistogram } from '@wharf/contract'
import { useMemo, useState } from 'react'
import { useNow } from '../../../browser/use-now.ts'
import { BarChart } from '../../../components/charts/BarChart.tsx'
import { ChartContainer } from '../../../components/charts/ChartContainer.tsx'
import { parseTime } from '../../../components/parse-time.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import '../../../components/severity.css'
import { type Period, periodOf, periods } from './histogram-period.ts'
import { messages } from './messages.ts'

/** The most severe ones are at the bottom of a bar. */
const drawn: readonly AlertSeverity[] = alertSeverities

/** The alerts that the list shows, by the time of their arrival. */
export function AlertHistogram({ conditions }: { conditions: readonly string[] }) {
  const t = useMessages(messages)
  const [period, setPeriod] = useState<Period>('day')
  const input = periodOf(period, useNow(periods[period].intervalMs))
  const { data, error } = useApiQuery(getThirdpartyAlertHistogram, { q: [...conditions], ...input })
  const starts = useMemo(() => data?.buckets.map(({ start }) => parseTime(start).getTime()) ?? [], [data])
  return (
    <ChartContainer
      title={t.title}
      label={t.period}
      periods={t.periods}
      period={period}
      onPeriodChange={setPeriod}
      error={error}
    >
      {data ? (
        <BarChart
          title={t.received}
          starts={starts}
          intervalMs={data.intervalSeconds * 1000}
          series={drawn.map((severity) => ({
            label: t.severities[severity],
            colour: `--severity-${severity}`,
            values: data.buckets.map((bucket) => bucket[severity]),
          }))}
        />
      ) : undefined}
    </ChartContainer>
  )
}
