import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useWords } from '../../../words/words.ts'
import { Field, type StepProps } from './Field.tsx'
import { words } from './words.ts'

export function ComponentStep(step: StepProps) {
  const say = useWords(words)
  const { form, onChange } = step
  const isTakeover = form.kind === 'takeover'
  return (
    <Container>
      <SpaceBetween size="m">
        <FormField label={say.kind} stretch>
          <Tiles
            value={form.kind}
            onChange={({ detail }) => onChange({ kind: detail.value === 'takeover' ? 'takeover' : 'new' })}
            items={[
              { value: 'new', label: say.isNew, description: say.isNewMeans },
              { value: 'takeover', label: say.takeover, description: say.takeoverMeans },
            ]}
          />
        </FormField>
        <Field {...step} field="name" label={say.name} example="storage" />
        {isTakeover ? (
          <Field {...step} field="address" label={say.address} means={say.addressMeans} example="10.0.0.11" />
        ) : null}
        <Field {...step} field="apiPort" label={say.apiPort} means={say.apiPortMeans} example="8056" isOptional />
        {isTakeover ? (
          <Field {...step} field="adminToken" label={say.adminToken} means={say.adminTokenMeans} type="password" />
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
