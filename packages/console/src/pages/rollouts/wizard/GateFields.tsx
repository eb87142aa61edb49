import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { usePlatformChoices } from '../../../features/alert-platforms/use-platform-names.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { StepProps } from './step-props.ts'
import { TextField } from './TextField.tsx'

const failurePolicies = ['pause', 'rollBackWave', 'rollBackAll'] as const
const unreachablePolicies = ['fail', 'skip', 'wait'] as const

/** What a wave must fulfil, and what happens when it does not. */
export function GateFields(props: StepProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { form, onChange } = props
  const platforms = usePlatformChoices()
  return (
    <Container header={<Header variant="h2">{t.gateTitle}</Header>}>
      <div className="method-fields">
        <TextField {...props} field="maxFailures" label={t.maxFailures} hint={t.maxFailuresHelp} />
        <TextField {...props} field="soakSeconds" label={t.soakSeconds} hint={t.soakHelp} isNumber />
        <TextField {...props} field="retries" label={t.retries} hint={t.retriesHelp} isNumber />
        <TextField
          {...props}
          field="targetDeadlineSeconds"
          label={t.targetDeadlineSeconds}
          hint={t.deadlineHelp}
          isNumber
        />
        <FormField label={t.onFailure}>
          <RadioGroup
            value={form.onFailure}
            items={failurePolicies.map((value) => ({ value, label: t.onFailures[value] }))}
            onChange={({ detail }) =>
              onChange({ onFailure: failurePolicies.find((one) => one === detail.value) ?? 'pause' })
            }
          />
        </FormField>
        <FormField label={t.unreachable}>
          <RadioGroup
            value={form.unreachable}
            items={unreachablePolicies.map((value) => ({ value, label: t.unreachables[value] }))}
            onChange={({ detail }) =>
              onChange({ unreachable: unreachablePolicies.find((one) => one === detail.value) ?? 'fail' })
            }
          />
        </FormField>
        <FormField label={optional(t.alertPlatforms)} constraintText={t.alertsMean}>
          <Multiselect
            options={platforms}
            placeholder={t.choosePlatforms}
            empty={t.noPlatforms}
            selectedOptions={platforms.filter(({ value }) => form.alertPlatformUuids.includes(value))}
            onChange={({ detail }) =>
              onChange({ alertPlatformUuids: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
            }
          />
        </FormField>
        <TextField {...props} field="keepVersions" label={t.keepVersions} hint={t.keepVersionsHelp} isNumber />
      </div>
    </Container>
  )
}
