import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useMessages } from '../../../i18n/use-messages.ts'
import { Field, type StepProps } from './Field.tsx'
import { messages } from './messages.ts'

export function ComponentStep(step: StepProps) {
  const t = useMessages(messages)
  const { form, onChange } = step
  const isTakeover = form.kind === 'takeover'
  return (
    <Container>
      <SpaceBetween size="m">
        <FormField label={t.kind} stretch>
          <Tiles
            value={form.kind}
            onChange={({ detail }) => onChange({ kind: detail.value === 'takeover' ? 'takeover' : 'new' })}
            items={[
              { value: 'new', label: t.isNew, description: t.isNewHelp },
              { value: 'takeover', label: t.takeover, description: t.takeoverHelp },
            ]}
          />
        </FormField>
        <Field {...step} field="name" label={t.name} example="storage" />
        {isTakeover ? (
          <Field {...step} field="address" label={t.address} hint={t.addressHelp} example="10.0.0.11" />
        ) : null}
        <Field {...step} field="apiPort" label={t.apiPort} hint={t.apiPortHelp} example="8056" isOptional />
        {isTakeover ? (
          <Field {...step} field="adminToken" label={t.adminToken} hint={t.adminTokenHelp} type="password" />
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
