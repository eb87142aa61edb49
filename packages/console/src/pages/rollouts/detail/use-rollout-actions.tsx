import {
  approveRollout,
  deleteRollout,
  denyRollout,
  pauseRollout,
  promoteRollout,
  resumeRollout,
  retryRollout,
  rollBackRollout,
  stopRollout,
} from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { useCaller } from '../../../components/permission.ts'
import type { RecordAction } from '../../../components/RecordActions.tsx'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'
import { RollBackRollout } from './RollBackRollout.tsx'
import { type ActionProblem, actionsOf, problemOf, type RolloutAction } from './rollout-actions.ts'
import { StopRollout } from './StopRollout.tsx'

/** The buttons of a rollout; those that its state does not allow are disabled, with the reason. */
export function useRolloutActions(): (rollout: RolloutRecord) => RecordAction[] {
  const t = useMessages(messages)
  const { rollouts } = useWharf()
  const nameOf = useStatusNames()
  const caller = useCaller()
  const actor = caller?.uuid && caller.role ? { uuid: caller.uuid, role: caller.role } : undefined
  const reasonOf = (problem: ActionProblem): string =>
    problem.kind === 'state' ? t.problems.state(problem.allowed.map(nameOf).join(t.comma)) : t.problems[problem.kind]
  const buttonOf = (action: RolloutAction, rollout: RolloutRecord): RecordAction => {
    const { uuid, name, pauseReason } = rollout
    const input = { uuid }
    switch (action) {
      case 'approve':
        return {
          label: t.approve,
          isPrimary: true,
          operation: approveRollout,
          call: { operation: approveRollout, input },
          confirm: { title: t.approveTitle(name), consequences: t.approveConsequences(rollout.targetCount) },
          run: () => rollouts.approve(uuid),
        }
      case 'deny':
        return {
          label: t.deny,
          operation: denyRollout,
          call: { operation: denyRollout, input },
          confirm: { title: t.denyTitle(name), consequences: t.denyConsequences },
          run: () => rollouts.deny(uuid),
        }
      case 'promote':
        return {
          label: t.promote,
          isPrimary: true,
          operation: promoteRollout,
          call: { operation: promoteRollout, input },
          run: () => rollouts.promote(uuid),
        }
      case 'pause':
        return {
          label: t.pause,
          operation: pauseRollout,
          call: { operation: pauseRollout, input },
          run: () => rollouts.pause(uuid),
        }
      case 'resume': {
        const ignored = pauseReason === 'Window' ? { ignoreWindow: true } : {}
        const consequences = pauseReason && pauseReason !== 'Operator' ? t.resumeConsequences[pauseReason] : undefined
        return {
          label: t.resume,
          operation: resumeRollout,
          call: { operation: resumeRollout, input: { ...input, ...ignored } },
          ...(consequences && { confirm: { title: t.resumeTitle(name), consequences } }),
          run: () => rollouts.resume(uuid, ignored),
        }
      }
      case 'retry':
        return {
          label: t.retry,
          operation: retryRollout,
          call: { operation: retryRollout, input },
          confirm: { title: t.retryTitle(rollout.failedCount), consequences: t.retryConsequences },
          run: () => rollouts.retry(uuid),
        }
      case 'stop':
        return {
          label: t.stop,
          operation: stopRollout,
          dialog: (onDismiss) => <StopRollout rollout={rollout} onDismiss={onDismiss} />,
        }
      case 'roll back':
        return {
          label: t.rollBack,
          operation: rollBackRollout,
          dialog: (onDismiss) => <RollBackRollout rollout={rollout} onDismiss={onDismiss} />,
        }
      case 'delete':
        return {
          label: t.delete,
          operation: deleteRollout,
          call: { operation: deleteRollout, input },
          confirm: { title: t.deleteTitle(name), consequences: t.deleteConsequences },
          run: async () => {
            await rollouts.delete(uuid, {})
            navigate(linkTo(['rollouts']))
          },
        }
    }
  }
  return (rollout) =>
    actionsOf(rollout).map((action) => {
      const problem = problemOf(action, rollout, actor)
      return { ...buttonOf(action, rollout), ...(problem && { disabledReason: reasonOf(problem) }) }
    })
}
