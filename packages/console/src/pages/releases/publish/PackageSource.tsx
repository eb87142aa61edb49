import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { querySoftwarePackage } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** What can be published: Uploaded on backup storage, with a version, and not published yet. */
const publishable = ['status=Uploaded', 'hostUuid is null', 'version is not null', 'releaseUuid is null']

interface PackageSourceProps {
  readonly value: string
  readonly onChange: (packageUuid: string) => void
}

export function PackageSource({ value, onChange }: PackageSourceProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const { text, listOf } = useSearch()
  const packages = useChoices(querySoftwarePackage, { text, chosen: value, only: publishable })
  const optionOf = ({ uuid = '', name = '', version, size = 0 }: RecordOf<typeof querySoftwarePackage>) => ({
    value: uuid,
    label: name,
    description: [version && t.version(version), format.bytes(size)].filter(Boolean).join(' · '),
  })
  return (
    <FormField label={t.package} description={t.packageHelp} stretch>
      <Select
        {...listOf(packages)}
        options={packages.records.map(optionOf)}
        empty={t.noPackages}
        placeholder={t.choosePackage}
        selectedOption={packages.chosen ? optionOf(packages.chosen) : null}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    </FormField>
  )
}
