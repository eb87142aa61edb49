import { readBuiltInCatalogue } from '@wharf/elaborations/built-in-catalogue.ts'
import { maxEntries } from '@wharf/elaborations/check-entries.ts'
import { ElaborationSet } from '@wharf/elaborations/elaboration-set.ts'
import { TextSearch } from '@wharf/elaborations/text-search.ts'
import { generateEntries, recordedTexts } from '../elaboration-data.ts'
import { type Curve, latencyCurve } from './curve.ts'
import { type Latency, latencyOf } from './latency.ts'

const textsPerRound = 300

/**
 * To explain a text that was really met, with so many entries in the catalogue, up to as many as there may be. One size
 * after the other: beside the largest in memory the small ones would be slower than they are.
 */
export async function catalogueCurve(counts: readonly number[], rounds: number): Promise<Curve> {
  const texts = recordedTexts()
  const own = readBuiltInCatalogue()
  const points: [number, Latency][] = []
  for (const count of [...counts.filter((one) => one < maxEntries), maxEntries]) {
    const entries = [...own.slice(0, count), ...generateEntries(texts, Math.max(count - own.length, 0))]
    const search = new TextSearch(new ElaborationSet(entries))
    const explain = async (index: number): Promise<number> => {
      const began = performance.now()
      search.explain(texts[index % texts.length] ?? '')
      return performance.now() - began
    }
    await latencyOf(explain, rounds, textsPerRound)
    points.push([count, await latencyOf(explain, rounds, textsPerRound)])
  }
  return latencyCurve(
    { name: 'catalogue', title: 'Explaining an error text', of: 'entries', isInterleaved: false },
    points,
  )
}
