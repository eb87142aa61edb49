import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import type { PackageStatus } from '@wharf/contract'
import { useIsNarrow } from '../../parts/use-is-narrow.ts'
import { useWords } from '../../words/words.ts'
import { makesVm } from './install/config-schema.ts'
import { words } from './words.ts'

const stations = ['Uploading', 'Uploaded', 'Installing', 'Installed', 'Initialized'] as const

/** Statuses that stand at a station of another name. */
const elsewhere = { UploadFailed: 0, InstallFailed: 2, Initializing: 4, InitializeFailed: 4 } as const

const isElsewhere = (status: PackageStatus): status is keyof typeof elsewhere => Object.hasOwn(elsewhere, status)

type Look = 'success' | 'in-progress' | 'error' | 'pending'

const lookOf = (status: PackageStatus): Look =>
  status.endsWith('Failed') ? 'error' : status.endsWith('ing') ? 'in-progress' : 'success'

/** The statuses as the way that a package goes: what is behind it, where it is, what is to come. */
export function StatusPath({ status, type }: { status: PackageStatus; type: string }) {
  const say = useWords(words)
  const isNarrow = useIsNarrow()
  const means = makesVm(type) ? { ...say.stations, Installing: say.makingVm } : say.stations
  const here = isElsewhere(status) ? elsewhere[status] : stations.indexOf(status)
  const steps = stations.map((station, index): StepsProps.Step => {
    const look: Look = index === here ? lookOf(status) : index < here ? 'success' : 'pending'
    const [header, details] =
      index === here && isElsewhere(status) ? [status, say.problems[status]] : [station, means[station]]
    return {
      status: look,
      statusIconAriaLabel: say.looks[look],
      header: index === here ? <strong aria-current="step">{header}</strong> : header,
      details: index >= here ? details : undefined,
    }
  })
  return <Steps orientation={isNarrow ? 'vertical' : 'horizontal'} ariaLabel={say.path} steps={steps} />
}
