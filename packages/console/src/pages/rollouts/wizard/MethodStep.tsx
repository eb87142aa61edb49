import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../../i18n/use-messages.ts'
import { ConfigFields } from './ConfigFields.tsx'
import { GateFields } from './GateFields.tsx'
import { messages } from './messages.ts'
import { StartFields } from './StartFields.tsx'
import type { StepProps } from './step-props.ts'
import { TextField } from './TextField.tsx'
import type { useReleaseConfig } from './use-release-config.ts'
import './wizard.css'

interface MethodStepProps extends StepProps {
  readonly release: ReturnType<typeof useReleaseConfig>
}

/** The second step: in which waves, what stops it, when, and with which configuration. */
export function MethodStep(props: MethodStepProps) {
  const t = useMessages(messages)
  const { form, onChange } = props
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t.wavesTitle}</Header>}>
        <div className="method-fields">
          <TextField {...props} field="waves" label={t.waves} hint={t.wavesHelp} />
          <TextField {...props} field="maxParallel" label={t.maxParallel} hint={t.maxParallelHelp} isNumber />
          <TextField {...props} field="spreadBy" label={t.spreadBy} hint={t.spreadByHelp} example="zone" isOptional />
          <FormField label={t.promotion}>
            <RadioGroup
              value={form.promotion}
              items={(['automatic', 'manual'] as const).map((value) => ({ value, label: t.promotions[value] }))}
              onChange={({ detail }) => onChange({ promotion: detail.value === 'manual' ? 'manual' : 'automatic' })}
            />
          </FormField>
          <Checkbox
            checked={form.dynamic && form.hostChoice !== 'hosts'}
            disabled={form.hostChoice === 'hosts'}
            description={t.dynamicHelp}
            onChange={({ detail }) => onChange({ dynamic: detail.checked })}
          >
            {t.dynamic}
          </Checkbox>
        </div>
      </Container>
      <GateFields {...props} />
      <StartFields {...props} />
      <Container header={<Header variant="h2">{t.configuration}</Header>}>
        <ConfigFields {...props} />
      </Container>
    </SpaceBetween>
  )
}
