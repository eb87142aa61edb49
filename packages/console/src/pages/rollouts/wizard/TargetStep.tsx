import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { queryRelease } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { HostFields } from './HostFields.tsx'
import { messages } from './messages.ts'
import type { StepProps } from './step-props.ts'
import { TextField } from './TextField.tsx'

/** A retired release is not rolled out. */
const published = ['state=Published']

/** The first step: which release, and which hosts. */
export function TargetStep(props: StepProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const { form, problems, showProblems, onChange } = props
  const { text, listOf } = useSearch()
  const releases = useChoices(queryRelease, { text, chosen: form.releaseUuid, only: published, sort: '-createDate' })
  const optionOf = ({ uuid = '', name = '', version = '', type, size = 0 }: RecordOf<typeof queryRelease>) => ({
    value: uuid,
    label: `${name} ${version}`,
    description: `${type} · ${format.bytes(size)}`,
  })
  const choose = (releaseUuid: string): void => {
    const release = releases.records.find(({ uuid }) => uuid === releaseUuid)
    const suggested = releases.chosen ? `${releases.chosen.name} ${releases.chosen.version}` : ''
    // a name that was typed stays
    const follows = release && (form.name === '' || form.name === suggested)
    onChange({
      releaseUuid,
      config: undefined,
      configText: '',
      ...(follows ? { name: `${release.name} ${release.version}` } : {}),
    })
  }
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t.release}</Header>}>
        <SpaceBetween size="l">
          <FormField
            label={t.release}
            description={t.releaseHelp}
            errorText={showProblems && problems.releaseUuid ? t.problems[problems.releaseUuid] : ''}
            stretch
          >
            <Select
              {...listOf(releases)}
              placeholder={t.chooseRelease}
              empty={t.noReleases}
              options={releases.records.map(optionOf)}
              selectedOption={releases.chosen ? optionOf(releases.chosen) : null}
              onChange={({ detail }) => choose(detail.selectedOption.value ?? '')}
            />
          </FormField>
          <TextField {...props} field="name" label={t.name} hint={t.nameHelp} />
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">{t.hosts}</Header>}>
        <HostFields {...props} />
      </Container>
    </SpaceBetween>
  )
}
