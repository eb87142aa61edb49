import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { startRegistration } from '@simplewebauthn/browser'
import { useState } from 'react'
import { FormModal } from '../../components/FormModal.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface AddPasskeyProps {
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void
  readonly onDismiss: () => void
}

export function AddPasskey({ onAdded, onDismiss }: AddPasskeyProps) {
  const t = useMessages(messages)
  const { secondFactors } = useWharf()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const add = async (): Promise<void> => {
    const { options } = await secondFactors.createPasskeyChallenge({ purpose: 'create', password })
    const response = await startRegistration({ optionsJSON: JSON.parse(options ?? '{}') })
    onAdded((await secondFactors.createPasskey({ name, response: JSON.stringify(response) })).recoveryCodes)
  }
  return (
    <FormModal
      title={t.addPasskey}
      action={t.add}
      isReady={name !== '' && password !== ''}
      notReady={t.passkeyIncomplete}
      onSubmit={add}
      onDismiss={onDismiss}
    >
      <FormField label={t.passkeyName} description={t.passkeyNameHelp}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <PasswordField label={t.currentPassword} value={password} onChange={setPassword} />
    </FormModal>
  )
}
