import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useIsCancelled } from '../../components/package-status/use-is-cancelled.ts'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { createsVm } from './install/config-schema.ts'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'
import { type StatusStep, statusSteps } from './status-steps.ts'

/** The statuses of a package in their order: the steps done, the current one, and those pending. */
export function StatusSteps({ record: { uuid, status, type } }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const isNarrow = useIsNarrow()
  const descriptions = createsVm(type) ? { ...t.steps, Installing: t.creatingVm } : t.steps
  const isCancelled = useIsCancelled(uuid, status)
  const steps = statusSteps(status, isCancelled).map(
    ({ name, state, isCurrent, problem }): StepsProps.Step => ({
      status: state,
      statusIconAriaLabel: t.stepStatus[state],
      header: isCurrent ? <strong aria-current="step">{nameOf(label(state, problem ?? name))}</strong> : nameOf(name),
      details: detailsOf(name, { state, isCurrent, problem }),
    }),
  )
  function detailsOf(name: StatusStep['name'], { state, isCurrent, problem }: Omit<StatusStep, 'name'>) {
    // the last step concerns few packages
    if (state === 'stopped' || (!isCurrent && !(name === 'Initialized' && state === 'pending'))) return undefined
    return problem ? t.problems[problem] : descriptions[name]
  }

  return <Steps orientation={isNarrow ? 'vertical' : 'horizontal'} ariaLabel={t.statusSteps} steps={steps} />
}

const label = (state: StepsProps.Status, status: string): string => (state === 'stopped' ? 'Cancelled' : status)
