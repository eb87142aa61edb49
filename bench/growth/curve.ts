import { median } from '../measure.ts'
import type { Latency } from './latency.ts'

/** The cost of one thing as the number of another grows. */
export interface Curve {
  /** Of the file that shows it. */
  readonly name: string
  readonly title: string
  /** The growing quantity. */
  readonly of: string
  readonly unit: string
  /** A round of each size in turn; otherwise all of one size before the next. */
  readonly isInterleaved: boolean
  readonly lines: readonly CurveLine[]
}

export interface CurveLine {
  readonly name: string
  /** With the value of each round; what is drawn is their median. */
  readonly points: readonly { readonly count: number; readonly values: readonly number[] }[]
}

/** Milliseconds, the median and the 99th percentile. */
export const latencyCurve = (
  about: Pick<Curve, 'name' | 'title' | 'of' | 'isInterleaved'>,
  points: readonly (readonly [count: number, latency: Latency])[],
): Curve => ({
  ...about,
  unit: 'ms',
  lines: [
    { name: 'median', points: points.map(([count, { medians }]) => ({ count, values: medians })) },
    { name: '99th percentile', points: points.map(([count, { p99s }]) => ({ count, values: p99s })) },
  ],
})

const [width, height] = [420, 240]
const [left, right, top, bottom] = [52, 30, 40, 40]
/** Distinguishable without colours, by their dashes; grey text can be read on white and on black. */
const strokes = [
  { color: '#2f7fd1', dash: '' },
  { color: '#d1662f', dash: '6 3' },
]

/** A picture of it: powers of ten to the right, from nothing upwards. */
export function drawCurve({ title, of, unit, lines }: Curve): string {
  const points = lines.flatMap((line) => line.points)
  const [least, most] = [Math.min(...points.map(({ count }) => count)), Math.max(...points.map(({ count }) => count))]
  const ceiling = niceCeiling(Math.max(...points.map(({ values }) => median(values))))
  const decades = Math.max(Math.log10(most / least), 1)
  const x = (count: number) => left + (Math.log10(count / least) / decades) * (width - left - right)
  const y = (value: number) => height - bottom - (value / ceiling) * (height - top - bottom)
  const ticks = Array.from({ length: Math.round(decades) + 1 }, (_, power) => least * 10 ** power)
  const parts = [
    text(left, 16, title, 'font-weight="bold"'),
    ...lines.map(({ name }, index) => legend(index, name)),
    ...[0, 0.5, 1].flatMap((share) => [
      `<path d="M${left} ${y(share * ceiling)}H${width - right}" stroke="#8884"/>`,
      text(left - 6, y(share * ceiling) + 4, shown(share * ceiling), 'text-anchor="end"'),
    ]),
    ...ticks.map((count) => text(x(count), height - bottom + 16, count.toLocaleString('en'), 'text-anchor="middle"')),
    text((left + width - right) / 2, height - 6, `${unit} by ${of}`, 'text-anchor="middle"'),
    ...lines.map((line, index) => polyline(line, index, x, y)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#777">
<title>${escaped(`${title}: ${unit} by ${of}`)}</title>
${parts.join('\n')}
</svg>
`
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })

const text = (x: number, y: number, label: string, more: string): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(label)}</text>`

const escaped = (label: string): string => label.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function legend(index: number, name: string): string {
  const at = left + index * 150
  return `${stroke(index, `M${at} 28h18`)}${text(at + 24, 32, name, '')}`
}

function polyline({ points }: CurveLine, index: number, x: (count: number) => number, y: (value: number) => number) {
  const places = points.map(({ count, values }) => ({ cx: round(x(count)), cy: round(y(median(values))) }))
  const path = places.map(({ cx, cy }) => `${cx} ${cy}`).join('L')
  const dots = places.map(({ cx, cy }) => `<circle cx="${cx}" cy="${cy}" r="2.5" fill="${strokes[index]?.color}"/>`)
  return `${stroke(index, `M${path}`)}${dots.join('')}`
}

const stroke = (index: number, path: string): string =>
  `<path d="${path}" fill="none" stroke="${strokes[index]?.color}" stroke-width="1.8" stroke-dasharray="${strokes[index]?.dash}"/>`

const round = (value: number): number => Math.round(value * 10) / 10

/** 1, 2 or 5 times a power of ten, not below the value. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)))
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power
}
