import type { EventText } from '../../events/system-event.ts'
import type { BackupStorageRow } from './store.ts'

/** Almost full from here … */
const fullShare = 0.9
/** … until less than this is used, so that a use around the limit is one crossing. */
const freeShare = 0.85

type Space = Pick<BackupStorageRow, 'totalCapacity' | 'availableCapacity' | 'isAlmostFull'>

const inGibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`

const usedShare = ({ totalCapacity, availableCapacity }: Space): number => 1 - availableCapacity / totalCapacity

/** Whether it is almost full now, when that has changed; a storage without a size is never full. */
export function spaceChange(space: Space): boolean | undefined {
  if (space.totalCapacity <= 0) return undefined
  const used = usedShare(space)
  const wasAlmostFull = space.isAlmostFull === 1
  const isAlmostFull = used >= fullShare || (wasAlmostFull && used >= freeShare)
  return isAlmostFull === wasAlmostFull ? undefined : isAlmostFull
}

export function spaceText(space: Space): EventText {
  const percent = Math.floor(usedShare(space) * 100)
  const total = inGibibytes(space.totalCapacity)
  const free = inGibibytes(space.availableCapacity)
  return { en: `${percent}% of ${total} is used; ${free} is free`, zh: `${total} 中已使用 ${percent}%，剩余 ${free}` }
}
