import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { compareVersions, queryRelease } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { messages } from './messages.ts'

export type Release = RecordOf<typeof queryRelease>

interface ReleaseSelectProps {
  readonly record: PackageRecord
  readonly value: string
  readonly showProblem: boolean
  readonly onChange: (release: Release | undefined) => void
}

/** The releases that a package can be upgraded to: those of its software, or of its type when it was never published. */
export function ReleaseSelect({ record, value, showProblem, onChange }: ReleaseSelectProps) {
  const t = useMessages(messages)
  const { releaseUuid, type, version } = record
  const own = useApiQuery(queryRelease, { q: [`uuid=${releaseUuid}`] }, { enabled: releaseUuid !== null })
  const name = own.data?.inventories?.[0]?.name
  const { text, listOf } = useSearch()
  const releases = useChoices(queryRelease, {
    text,
    chosen: value,
    only: ['state=Published', `type=${type}`, ...(name ? [`name=${name}`, `uuid!=${releaseUuid}`] : [])],
    ...(name && { searched: 'version' }),
    sort: '-createDate',
  })
  const optionOf = (release: Release) => {
    const order = version && release.version && compareVersions(release.version, version)
    return {
      value: release.uuid ?? '',
      label: `${release.name} ${release.version}`,
      ...(release.description && { description: release.description }),
      ...(typeof order === 'number' && order < 0 && { labelTag: t.older }),
    }
  }
  return (
    <FormField label={t.release} errorText={showProblem && value === '' ? t.chooseRelease : ''} stretch>
      <Select
        {...listOf(releases)}
        options={releases.records.map(optionOf)}
        empty={t.noReleases}
        placeholder={t.chooseRelease}
        selectedOption={releases.chosen ? optionOf(releases.chosen) : null}
        onChange={({ detail }) => onChange(releases.records.find(({ uuid }) => uuid === detail.selectedOption.value))}
      />
    </FormField>
  )
}
