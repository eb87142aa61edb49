import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import './charts.css'
import { type Domain, marksOf, nearestIndex, type Scale, shareOf, timeMarks } from './chart-scale.ts'

export interface Series {
  readonly label: string
  /** A custom property of CSS. */
  readonly colour: `--${string}`
  /** One for each time; null where it is unknown. */
  readonly values: readonly (number | null)[]
}

interface ChartFrameProps {
  readonly title: string
  readonly domain: Domain
  readonly scale: Scale
  /** The times of the values, in order; the middle of an interval. */
  readonly times: readonly number[]
  /** How a time is written in the table and in the readout. */
  readonly timeLabel: (index: number) => string
  readonly series: readonly Series[]
  readonly formatValue: (value: number) => string
  /** The shapes, in a square of 100 × 100 that is stretched to the plot. */
  readonly children: ReactNode
}

const timeMarkCount = 5
const dayMs = 86_400_000

/** Axes, a cursor that pointer, touch and arrow keys move, its values as text, and all values as a table. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, domain, scale, times, timeLabel, series, formatValue, children } = props
  const t = useMessages(messages)
  const format = useFormat()
  const [chosen, setChosen] = useState<number>()
  const [isTableShown, setTableShown] = useState(false)
  const last = times.length - 1
  const index = Math.min(chosen ?? last, last)
  const valueAt = ({ values }: Series, at: number): string => {
    const value = values[at]
    return value === null || value === undefined ? t.none : formatValue(value)
  }
  const valuesAt = (at: number): string => series.map((one) => `${one.label} ${valueAt(one, at)}`).join(', ')
  const place = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (width > 0) setChosen(nearestIndex(times, (event.clientX - left) / width, domain))
  }
  const isLong = domain.to - domain.from > 2 * dayMs
  return (
    <figure className="chart">
      <figcaption>
        <strong>{title}</strong>
        <span className="chart-reading">{`${timeLabel(index)} · ${valuesAt(index)}`}</span>
      </figcaption>
      <div className="chart-y" aria-hidden="true">
        {marksOf(scale).map((mark) => (
          <span key={mark} style={{ bottom: `${(mark / scale.max) * 100}%` }}>
            {formatValue(mark)}
          </span>
        ))}
      </div>
      <div
        className="chart-plot"
        onPointerMove={place}
        onPointerDown={place}
        onPointerLeave={() => setChosen(undefined)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {marksOf(scale).map((mark) => {
            const y = 100 - (mark / scale.max) * 100
            return <line key={mark} className="chart-line" x1="0" x2="100" y1={y} y2={y} />
          })}
          {children}
          <Cursor at={shareOf(times[index] ?? domain.to, domain)} />
        </svg>
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label={title}
          aria-valuetext={`${timeLabel(index)}: ${valuesAt(index)}`}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          onBlur={() => setChosen(undefined)}
        />
      </div>
      <div className="chart-x" aria-hidden="true">
        {timeMarks(domain, { count: timeMarkCount, offsetMs: format.offsetMs(domain.to) }).map((mark) => (
          <span
            key={mark}
            style={{ insetInlineStart: `clamp(1.25rem, ${shareOf(mark, domain) * 100}%, 100% - 1.25rem)` }}
          >
            {isLong ? format.day(mark) : format.clock(mark)}
          </span>
        ))}
      </div>
      {series.length > 1 ? (
        <ul className="chart-legend">
          {series.map(({ label, colour }) => (
            <li key={label}>
              <i style={{ background: `var(${colour})` }} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      <ExpandableSection
        variant="footer"
        headerText={t.showValues}
        headerAriaLabel={`${t.showValues}: ${title}`}
        expanded={isTableShown}
        onChange={({ detail }) => setTableShown(detail.expanded)}
      >
        {isTableShown ? <ValueTable {...props} valueAt={valueAt} /> : null}
      </ExpandableSection>
    </figure>
  )
}

const Cursor = ({ at }: { at: number }) => (
  <line className="chart-cursor" x1={at * 100} x2={at * 100} y1="0" y2="100" vectorEffect="non-scaling-stroke" />
)

function ValueTable({
  title,
  times,
  timeLabel,
  series,
  valueAt,
}: ChartFrameProps & { valueAt: (series: Series, at: number) => string }) {
  const t = useMessages(messages)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.time}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times
            .map((time, index) => (
              <tr key={time}>
                <th scope="row">{timeLabel(index)}</th>
                {series.map((one) => (
                  <td key={one.label}>{valueAt(one, index)}</td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  )
}
