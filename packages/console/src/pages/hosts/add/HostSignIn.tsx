import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useWords } from '../../../words/words.ts'
import type { HostFormPart } from './HostMachine.tsx'
import { words } from './words.ts'

export function HostSignIn({ form, problems, onChange }: HostFormPart) {
  const say = useWords(words)
  return (
    <Container header={<Header variant="h2">{say.signIn}</Header>}>
      <SpaceBetween size="m">
        <FormField
          label={say.username}
          constraintText={say.usernameMeans}
          errorText={problems.username && say[problems.username]}
        >
          <Input
            value={form.username}
            autoComplete="off"
            onChange={({ detail }) => onChange({ username: detail.value })}
          />
        </FormField>
        <FormField label={say.key} stretch>
          <RadioGroup
            value={form.key}
            onChange={({ detail }) => onChange({ key: detail.value === 'given' ? 'given' : 'own' })}
            items={[
              { value: 'own', label: say.ownKey, description: say.ownKeyMeans },
              { value: 'given', label: say.givenKey, description: say.givenKeyMeans },
            ]}
          />
        </FormField>
        {form.key === 'given' ? (
          <FormField
            label={say.privateKey}
            constraintText={say.privateKeyMeans}
            errorText={problems.privateKey && say[problems.privateKey]}
            stretch
          >
            <Textarea
              value={form.privateKey}
              rows={6}
              spellcheck={false}
              autoComplete={false}
              placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
              onChange={({ detail }) => onChange({ privateKey: detail.value })}
            />
          </FormField>
        ) : null}
      </SpaceBetween>
    </Container>
  )
}
