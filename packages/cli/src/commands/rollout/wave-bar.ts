import type { RolloutTargetInventory } from '@wharf/sdk'
import type { Colours } from '../../output/colours.ts'
import { isBusy, isDone, isFailed } from './snapshot.ts'

const kinds = ['done', 'failed', 'rolledBack', 'skipped', 'busy', 'pending'] as const
type Kind = (typeof kinds)[number]

const unicodeCells: Record<Kind, string> = {
  done: '█',
  failed: '×',
  rolledBack: '◂',
  skipped: '·',
  busy: '▒',
  pending: '░',
}
const asciiCells: Record<Kind, string> = {
  done: '#',
  failed: 'x',
  rolledBack: '<',
  skipped: '.',
  busy: '~',
  pending: '-',
}

function kindOf(target: Pick<RolloutTargetInventory, 'state'>): Kind {
  if (isDone(target)) return 'done'
  if (isFailed(target)) return 'failed'
  if (isBusy(target)) return 'busy'
  if (target.state === 'RolledBack') return 'rolledBack'
  return target.state === 'Skipped' ? 'skipped' : 'pending'
}

/** The states of a wave's hosts as a bar of this width; each state that occurs has at least one cell if they fit. */
export function waveBar(
  targets: readonly Pick<RolloutTargetInventory, 'state'>[],
  { width, unicode, colours }: { width: number; unicode: boolean; colours: Colours },
): string {
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]))
  for (const target of targets) counts.set(kindOf(target), (counts.get(kindOf(target)) ?? 0) + 1)
  const cells = unicode ? unicodeCells : asciiCells
  const paint: Record<Kind, (text: string) => string> = {
    done: colours.green,
    failed: colours.red,
    rolledBack: colours.yellow,
    skipped: colours.dim,
    busy: colours.yellow,
    pending: colours.dim,
  }
  const sizes = cellCounts(
    kinds.map((kind) => counts.get(kind) ?? 0),
    width,
  )
  // an empty wave has nothing to do
  if (targets.length === 0) return paint.pending(cells.pending.repeat(width))
  return kinds
    .map((kind, index) => ({ kind, size: sizes[index] ?? 0 }))
    .filter(({ size }) => size > 0)
    .map(({ kind, size }) => paint[kind](cells[kind].repeat(size)))
    .join('')
}

/** Shares of the width in proportion to the counts, with the largest remainders rounded up. */
export function cellCounts(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const occurring = counts.filter((count) => count > 0).length
  const least = occurring <= width ? 1 : 0
  const exact = counts.map((count) => (count * width) / total)
  const cells = exact.map((share, index) => Math.max(Math.floor(share), (counts[index] ?? 0) > 0 ? least : 0))
  const distance = (index: number): number => (exact[index] ?? 0) - (cells[index] ?? 0)
  const used = (): number => cells.reduce((sum, count) => sum + count, 0)
  for (const step of [1, -1])
    while (step * (width - used()) > 0) {
      const [next] = [...cells.keys()]
        .filter((index) => (counts[index] ?? 0) > 0 && (step > 0 || (cells[index] ?? 0) > least))
        .sort((a, b) => step * (distance(b) - distance(a)))
      if (next === undefined) break
      cells[next] = (cells[next] ?? 0) + step
    }
  return cells
}
