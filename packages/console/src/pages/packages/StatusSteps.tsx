import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import type { PackageStatus } from '@wharf/contract'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useMessages } from '../../i18n/messages.ts'
import { makesVm } from './install/config-schema.ts'
import { messages } from './messages.ts'

const stations = ['Uploading', 'Uploaded', 'Installing', 'Installed', 'Initialized'] as const

/** Statuses that stand at a station of another name. */
const elsewhere = { UploadFailed: 0, InstallFailed: 2, Initializing: 4, InitializeFailed: 4 } as const

const isElsewhere = (status: PackageStatus): status is keyof typeof elsewhere => Object.hasOwn(elsewhere, status)

type Look = 'success' | 'in-progress' | 'error' | 'pending'

const lookOf = (status: PackageStatus): Look =>
  status.endsWith('Failed') ? 'error' : status.endsWith('ing') ? 'in-progress' : 'success'

/** The statuses as the way that a package goes: what is behind it, where it is, what is to come. */
export function StatusSteps({ status, type }: { status: PackageStatus; type: string }) {
  const t = useMessages(messages)
  const isNarrow = useIsNarrow()
  const means = makesVm(type) ? { ...t.stations, Installing: t.makingVm } : t.stations
  const here = isElsewhere(status) ? elsewhere[status] : stations.indexOf(status)
  const steps = stations.map((station, index): StepsProps.Step => {
    const look: Look = index === here ? lookOf(status) : index < here ? 'success' : 'pending'
    const [header, details] =
      index === here && isElsewhere(status) ? [status, t.problems[status]] : [station, means[station]]
    return {
      status: look,
      statusIconAriaLabel: t.looks[look],
      header: index === here ? <strong aria-current="step">{header}</strong> : header,
      details: index >= here ? details : undefined,
    }
  })
  return <Steps orientation={isNarrow ? 'vertical' : 'horizontal'} ariaLabel={t.path} steps={steps} />
}
