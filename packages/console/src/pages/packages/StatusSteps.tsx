import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import type { PackageStatus } from '@wharf/contract'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { createsVm } from './install/config-schema.ts'
import { messages } from './messages.ts'
import { statusSteps } from './status-steps.ts'

/** The statuses of a package in their order: the steps done, the current one, and those pending. */
export function StatusSteps({ status, type }: { status: PackageStatus; type: string }) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const isNarrow = useIsNarrow()
  const descriptions = createsVm(type) ? { ...t.steps, Installing: t.creatingVm } : t.steps
  const steps = statusSteps(status).map(
    ({ name, state, isCurrent, problem }): StepsProps.Step => ({
      status: state,
      statusIconAriaLabel: t.stepStatus[state],
      header: isCurrent ? <strong aria-current="step">{nameOf(problem ?? name)}</strong> : nameOf(problem ?? name),
      details: state === 'success' && !isCurrent ? undefined : problem ? t.problems[problem] : descriptions[name],
    }),
  )
  return <Steps orientation={isNarrow ? 'vertical' : 'horizontal'} ariaLabel={t.statusSteps} steps={steps} />
}
