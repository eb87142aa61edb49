import { writeFileSync } from 'node:fs'
import { callCurves } from './growth/calls.ts'
import { catalogueCurve } from './growth/catalogue.ts'
import { type Curve, drawCurve } from './growth/curve.ts'
import { rowCurves } from './growth/rows.ts'
import { slicesCurve } from './growth/slices.ts'
import { compareRounds, type Figure } from './measure.ts'

/** LARGEST=10000 for a quick run, which does not write the SVG files. */
const largest = Number(process.env.LARGEST ?? 1_000_000)
const all = [100, 1000, 10_000, 100_000, 1_000_000]
const counts = all.filter((count) => count <= largest)

/** How costs grow with the number of records, drawn into growth/*.svg, and whether the largest meets the target. */
export async function growth(rounds: number): Promise<Figure[]> {
  const curves = [
    ...(await callCurves(counts)),
    ...(await rowCurves(counts, rounds)),
    await catalogueCurve(counts, rounds),
    // a million sequential calls would take half an hour
    await slicesCurve(
      counts.filter((count) => count <= 100_000),
      rounds,
    ),
  ]
  if (counts.length === all.length)
    for (const curve of curves) writeFileSync(new URL(`growth/${curve.name}.svg`, import.meta.url), drawCurve(curve))
  return curves.flatMap((curve) => flatness(curve))
}

/** Of a page, the 99th percentile may double from a thousand rows to a million. */
const flat = new Set(['packages', 'hosts', 'audit-entries', 'rollout-targets'])

function flatness({ name, title, of, unit, lines, isInterleaved }: Curve): Figure[] {
  const points = lines.at(-1)?.points ?? []
  const small = points.find(({ count }) => count === 1000)
  const large = points.at(-1)
  if (small === undefined || large === undefined || large === small) return []
  const both = compareRounds(large.values, small.values)
  return [
    {
      name: `${title}, ${lines.at(-1)?.name}: ${large.count.toLocaleString('en')} ${of}`,
      unit,
      peer: `with ${small.count.toLocaleString('en')}`,
      ...both,
      // what was measured at different times has no round in common
      ...(isInterleaved ? {} : { spread: undefined, rounds: `${large.values.length}, the smaller before the larger` }),
      aim: flat.has(name) ? 'ratio ≤ 2' : 'for comparison',
      met: flat.has(name) ? both.ratio <= 2 : undefined,
    },
  ]
}
