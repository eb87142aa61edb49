import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { countGroups, type StateGroup } from './target-counts.ts'
import type { Target } from './use-rollout-parts.ts'

const otherGroups: readonly Exclude<StateGroup, 'succeeded'>[] = ['failed', 'busy', 'pending', 'skipped', 'restored']

/** `12 of 99 hosts succeeded, 1 failed, 8 in progress, 78 pending` */
export function useWaveSummary(): (targets: readonly Pick<Target, 'state'>[]) => string {
  const t = useMessages(messages)
  const format = useFormat()
  return (targets) => {
    if (targets.length === 0) return t.emptyWave
    const counts = countGroups(targets)
    const others = otherGroups.filter((group) => counts[group] > 0)
    return [
      t.succeededOf(format.number(counts.succeeded), format.number(targets.length)),
      ...others.map((group) => t.groups[group](format.number(counts[group]))),
    ].join(t.comma)
  }
}
