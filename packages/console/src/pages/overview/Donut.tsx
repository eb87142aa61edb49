import Link from '@cloudscape-design/components/link'
import { useFormat } from '../../i18n/use-format.ts'

export interface Slice {
  readonly label: string
  readonly count: number
  readonly tone: 'good' | 'calm' | 'inProgress' | 'bad'
  readonly href: string
}

/** The circumference is 100, so that lengths are percentages. */
const radius = 100 / (2 * Math.PI)

/** A donut chart with a legend of links. */
export function Donut({ label, slices }: { label: string; slices: readonly Slice[] }) {
  const format = useFormat()
  const total = slices.reduce((sum, { count }) => sum + count, 0)
  const shares = slices.map(({ count }) => (total === 0 ? 0 : (count / total) * 100))
  const starts = shares.map((_, index) => shares.slice(0, index).reduce((sum, share) => sum + share, 0))
  return (
    <div className="donut">
      <svg viewBox="0 0 40 40" role="img" aria-label={`${label}: ${format.number(total)}`}>
        <circle className="donut-ground" cx="20" cy="20" r={radius} />
        {slices.map(({ label: name, tone }, index) => (
          <circle
            key={name}
            className={`donut-${tone}`}
            cx="20"
            cy="20"
            r={radius}
            strokeDasharray={`${shares[index]} ${100 - (shares[index] ?? 0)}`}
            strokeDashoffset={25 - (starts[index] ?? 0)}
          />
        ))}
        <text x="20" y="20">
          {format.number(total)}
        </text>
      </svg>
      <ul>
        {slices.map(({ label: name, count, tone, href }) => (
          <li key={name}>
            <i className={`donut-${tone}`} />
            <Link href={href}>{name}</Link>
            <strong>{format.number(count)}</strong>
          </li>
        ))}
      </ul>
    </div>
  )
}
