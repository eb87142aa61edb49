import { useFormat } from '../../i18n/use-format.ts'
import { ChartFrame, type Series } from './ChartFrame.tsx'
import { scaleFor } from './chart-scale.ts'

interface BarChartProps {
  readonly title: string
  /** The starts of the intervals, which have the same length. */
  readonly starts: readonly number[]
  readonly intervalMs: number
  /** Drawn on top of each other, the first at the bottom. */
  readonly series: readonly Series[]
}

/** The share of an interval that its bar covers. */
const barWidth = 0.8

/** Counts per interval as stacked bars. */
export function BarChart({ title, starts, intervalMs, series }: BarChartProps) {
  const format = useFormat()
  const domain = { from: starts[0] ?? 0, to: (starts.at(-1) ?? 0) + intervalMs }
  const totals = starts.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  // counts have no fractions
  const { max, step } = scaleFor(Math.max(4, ...totals))
  const scale = { max, step: Math.max(1, step) }
  const width = 100 / starts.length
  return (
    <ChartFrame
      title={title}
      domain={domain}
      scale={scale}
      times={starts.map((start) => start + intervalMs / 2)}
      timeLabel={(index) => `${format.day(starts[index] ?? 0)}, ${format.clock(starts[index] ?? 0)}`}
      series={series}
      formatValue={format.number}
    >
      {starts.map((start, index) => {
        let top = 100
        return (
          <g key={start}>
            {series.map(({ label, colour, values }) => {
              const height = ((values[index] ?? 0) / scale.max) * 100
              top -= height
              return height === 0 ? null : (
                <rect
                  key={label}
                  x={(index + (1 - barWidth) / 2) * width}
                  y={top}
                  width={width * barWidth}
                  height={height}
                  style={{ fill: `var(${colour})` }}
                />
              )
            })}
          </g>
        )
      })}
    </ChartFrame>
  )
}
