import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Link from '@cloudscape-design/components/link'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import { linkTo } from '../../../browser/route.ts'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { StepProps } from './Field.tsx'
import { messages } from './messages.ts'
import { canFormCluster, unavailability } from './preflight.ts'
import type { PackageInfo, useWizardData } from './use-wizard-data.ts'

interface PackageStepProps extends StepProps {
  readonly data: ReturnType<typeof useWizardData>
}

/** Packages that the server would reject are disabled with the reason. */
export function PackageStep({ form, problems, showProblems, onChange, data }: PackageStepProps) {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const { packages, hosts, list } = data
  const hostOf = (hostUuid: string | null) => hosts.find(({ uuid }) => uuid === hostUuid)
  const refusal = ({ status, hostUuid, takenBy }: PackageInfo): string | undefined => {
    if (hostUuid === null) return t.onBackupStorage
    if (takenBy !== undefined) return t.taken(takenBy)
    const host = hostOf(hostUuid)
    const reason = host && unavailability(host)
    if (host && reason) return t.hostNotConnected(host.name, nameOf(reason))
    return canFormCluster(status) ? undefined : t.notInstalled(nameOf(status))
  }
  const optionOf = (one: PackageInfo): SelectProps.Option => {
    const reason = refusal(one)
    const host = hostOf(one.hostUuid)
    return {
      value: one.uuid,
      label: one.name,
      labelTag: nameOf(one.status),
      ...(host ? { description: `${host.name} · ${host.address}` } : {}),
      ...(reason === undefined ? {} : { disabled: true, disabledReason: reason }),
    }
  }
  const choose = (uuid: string): void => {
    const host = hostOf(packages.find((one) => one.uuid === uuid)?.hostUuid ?? null)
    const isFollowing = form.managementIp === '' || hosts.some(({ address }) => address === form.managementIp)
    const follows = host && host.driver !== 'local' && isFollowing
    onChange({ softwarePackageUuid: uuid, ...(follows ? { managementIp: host.address } : {}) })
  }
  const problem = problems.softwarePackageUuid
  // shown as soon as the package is chosen
  const isShown = problem !== undefined && (showProblems || problem.kind === 'cannotForm')
  return (
    <Container>
      <FormField
        label={t.software}
        constraintText={t.softwareHelp}
        errorText={isShown ? t.problems[problem.kind](problem.value) : undefined}
        stretch
      >
        <Select
          placeholder={t.choosePackage}
          {...list}
          selectedOption={data.package ? optionOf(data.package) : null}
          options={packages.map(optionOf)}
          onChange={({ detail }) => choose(detail.selectedOption.value ?? '')}
          empty={t.noPackages}
        />
      </FormField>
      {packages.length === 0 && list.statusType === 'finished' ? (
        <Box margin={{ top: 's' }}>
          <Link href={linkTo(['packages'])}>{t.noPackages}</Link>
        </Box>
      ) : null}
    </Container>
  )
}
