import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import type { PackageStatus } from '@wharf/contract'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useMessages } from '../../i18n/messages.ts'
import { createsVm } from './install/config-schema.ts'
import { messages } from './messages.ts'

const stepNames = ['Uploading', 'Uploaded', 'Installing', 'Installed', 'Initialized'] as const

/** Statuses that have no step of their own, by the index of the step that they belong to. */
const otherStatuses = { UploadFailed: 0, InstallFailed: 2, Initializing: 4, InitializeFailed: 4 } as const

const isOtherStatus = (status: PackageStatus): status is keyof typeof otherStatuses =>
  Object.hasOwn(otherStatuses, status)

type StepStatus = 'success' | 'in-progress' | 'error' | 'pending'

const stepStatus = (status: PackageStatus): StepStatus =>
  status.endsWith('Failed') ? 'error' : status.endsWith('ing') ? 'in-progress' : 'success'

/** The statuses of a package in their order: the steps done, the current one, and those pending. */
export function StatusSteps({ status, type }: { status: PackageStatus; type: string }) {
  const t = useMessages(messages)
  const isNarrow = useIsNarrow()
  const descriptions = createsVm(type) ? { ...t.steps, Installing: t.creatingVm } : t.steps
  const current = isOtherStatus(status) ? otherStatuses[status] : stepNames.indexOf(status)
  const steps = stepNames.map((name, index): StepsProps.Step => {
    const stepState: StepStatus = index === current ? stepStatus(status) : index < current ? 'success' : 'pending'
    const [header, details] =
      index === current && isOtherStatus(status) ? [status, t.problems[status]] : [name, descriptions[name]]
    return {
      status: stepState,
      statusIconAriaLabel: t.stepStatus[stepState],
      header: index === current ? <strong aria-current="step">{header}</strong> : header,
      details: index >= current ? details : undefined,
    }
  })
  return <Steps orientation={isNarrow ? 'vertical' : 'horizontal'} ariaLabel={t.statusSteps} steps={steps} />
}
