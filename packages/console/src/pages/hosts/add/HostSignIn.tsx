import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { HostFormPart } from './HostMachine.tsx'
import { messages } from './messages.ts'
import { ServerKeys } from './ServerKeys.tsx'

export function HostSignIn({ form, problems, onChange }: HostFormPart) {
  const t = useMessages(messages)
  return (
    <Container header={<Header variant="h2">{t.signIn}</Header>}>
      <SpaceBetween size="m">
        <FormField
          label={t.username}
          constraintText={t.usernameHelp}
          errorText={problems.username && t[problems.username]}
        >
          <Input
            value={form.username}
            autoComplete="off"
            onChange={({ detail }) => onChange({ username: detail.value })}
          />
        </FormField>
        <FormField label={t.key} stretch>
          <RadioGroup
            value={form.key}
            onChange={({ detail }) => onChange({ key: detail.value === 'given' ? 'given' : 'own' })}
            items={[
              { value: 'own', label: t.ownKey, description: t.ownKeyHelp },
              { value: 'given', label: t.givenKey, description: t.givenKeyHelp },
            ]}
          />
        </FormField>
        {form.key === 'own' ? <ServerKeys /> : null}
        {form.key === 'given' ? (
          <FormField
            label={t.privateKey}
            constraintText={t.privateKeyHelp}
            errorText={problems.privateKey && t[problems.privateKey]}
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
