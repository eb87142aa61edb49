import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import DateInput from '@cloudscape-design/components/date-input'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TimeInput from '@cloudscape-design/components/time-input'
import { queryMaintenanceWindow } from '@wharf/contract'
import { useChoices } from '../../../components/choices/use-choices.ts'
import { useSearch } from '../../../components/choices/use-search.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useTimeZone } from '../../../i18n/time-zone.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { StepProps } from './step-props.ts'

const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** When it starts, in which window, and after whose approval. */
export function StartFields({ form, problems, onChange }: StepProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const zone = useTimeZone()
  const { text, listOf } = useSearch()
  const windows = useChoices(queryMaintenanceWindow, { text, chosen: form.windowUuid })
  const none = { value: '', label: t.noWindow }
  const optionOf = ({ uuid = '', name = '', cron, timeZone }: RecordOf<typeof queryMaintenanceWindow>) => ({
    value: uuid,
    label: name,
    description: `${cron} ${timeZone}`,
  })
  return (
    <Container header={<Header variant="h2">{t.startTitle}</Header>}>
      <div className="method-fields">
        <FormField
          label={optional(t.startAt)}
          constraintText={t.startHelp(zone === 'utc' ? 'UTC' : localZone())}
          errorText={problems.startDate ? t.problems[problems.startDate] : ''}
        >
          <SpaceBetween direction="horizontal" size="xs">
            <DateInput
              ariaLabel={t.startDate}
              value={form.startDate}
              placeholder="YYYY/MM/DD"
              onChange={({ detail }) => onChange({ startDate: detail.value })}
            />
            <TimeInput
              ariaLabel={t.startTime}
              value={form.startTime}
              format="hh:mm"
              placeholder="hh:mm"
              onChange={({ detail }) => onChange({ startTime: detail.value })}
            />
          </SpaceBetween>
        </FormField>
        <FormField label={t.window} constraintText={t.windowHelp}>
          <Select
            {...listOf(windows)}
            options={[none, ...windows.records.map(optionOf)]}
            selectedOption={windows.chosen ? optionOf(windows.chosen) : none}
            onChange={({ detail }) => onChange({ windowUuid: detail.selectedOption.value ?? '' })}
          />
        </FormField>
        <Checkbox
          checked={form.requiresApproval}
          description={t.approvalHelp}
          onChange={({ detail }) => onChange({ requiresApproval: detail.checked })}
        >
          {t.requiresApproval}
        </Checkbox>
      </div>
    </Container>
  )
}
