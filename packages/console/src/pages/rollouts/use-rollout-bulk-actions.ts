import { deleteRollout, pauseRollout, type queryRollout } from '@wharf/contract'
import type { BulkAction, RecordOf } from '../../components/ResourceTable.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages as detailMessages } from './detail/messages.ts'
import { problemOf, type RolloutAction } from './detail/rollout-actions.ts'
import { messages } from './messages.ts'
import type { RolloutRecord } from './rollout-record.ts'

type Rollout = RecordOf<typeof queryRollout>

/** Pauses or deletes the selected rollouts; other actions need the page of the rollout. */
export function useRolloutBulkActions(): BulkAction<Rollout>[] {
  const t = useMessages(messages)
  const detail = useMessages(detailMessages)
  const nameOf = useStatusNames()
  const { rollouts } = useWharf()
  const problem = (action: RolloutAction) => (record: Rollout) => {
    const found = problemOf(action, record as RolloutRecord, undefined)
    if (found === undefined) return undefined
    return found.kind === 'state'
      ? detail.problems.state(found.allowed.map(nameOf).join(detail.comma))
      : detail.problems[found.kind]
  }
  return [
    {
      id: 'pause',
      label: detail.pause,
      operation: pauseRollout,
      consequences: t.pauseConsequences,
      problem: problem('pause'),
      run: ({ uuid = '' }) => rollouts.pause(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    {
      id: 'delete',
      label: detail.delete,
      operation: deleteRollout,
      consequences: detail.deleteConsequences,
      problem: problem('delete'),
      run: ({ uuid = '' }) => rollouts.delete(uuid, {}),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
}
