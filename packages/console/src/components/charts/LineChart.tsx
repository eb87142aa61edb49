import { useFormat } from '../../i18n/use-format.ts'
import { ChartFrame, type Series } from './ChartFrame.tsx'
import { type Domain, type Scale, segmentsOf, shareOf } from './chart-scale.ts'

interface LineChartProps {
  readonly title: string
  readonly domain: Domain
  readonly scale: Scale
  readonly times: readonly number[]
  /** The pause between two points; a line is interrupted where points are missing. */
  readonly intervalMs: number
  readonly series: readonly Series[]
  readonly formatValue: (value: number) => string
}

/** Two probes of a host may be this many intervals apart. */
const longestPause = 2.5

/** Values over time as lines, the first with its area. */
export function LineChart({ domain, scale, intervalMs, ...others }: LineChartProps) {
  const { times, series } = others
  const format = useFormat()
  const timeLabel = (time: number): string => `${format.day(time)}, ${format.clock(time)}`
  const x = (time: number): string => (shareOf(time, domain) * 100).toFixed(2)
  const y = (value: number): string => (100 - (value / scale.max) * 100).toFixed(2)
  return (
    <ChartFrame {...others} domain={domain} scale={scale} timeLabel={(index) => timeLabel(times[index] ?? 0)}>
      {series.map(({ label, colour, values }, place) => {
        const points = times.map((time, index) => ({ time, value: values[index] ?? null }))
        return segmentsOf(points, longestPause * intervalMs).map((segment) => {
          const [first] = segment
          if (first === undefined) return null
          // a single point is drawn as a short line
          const end = { ...first, time: first.time + intervalMs / 2 }
          const drawn = segment.length === 1 ? [first, end] : segment
          const line = drawn.map(({ time, value }) => `${x(time)} ${y(value)}`).join(' L ')
          const area = `M ${x(first.time)} 100 L ${line} L ${x(drawn.at(-1)?.time ?? 0)} 100 Z`
          return (
            <g key={`${label} ${first.time}`} style={{ color: `var(${colour})` }}>
              {place === 0 ? <path className="chart-area" d={area} /> : null}
              <path className="chart-stroke" d={`M ${line}`} vectorEffect="non-scaling-stroke" />
            </g>
          )
        })
      })}
    </ChartFrame>
  )
}
