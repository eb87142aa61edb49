import Box from '@cloudscape-design/components/box'
import { useState } from 'react'
import { FormModal } from '../../components/FormModal.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface NewRecoveryCodesProps {
  readonly onCreated: (codes: readonly string[] | null) => void
  readonly onDismiss: () => void
}

export function NewRecoveryCodes({ onCreated, onDismiss }: NewRecoveryCodesProps) {
  const t = useMessages(messages)
  const { secondFactors } = useWharf()
  const [password, setPassword] = useState('')
  return (
    <FormModal
      title={t.newRecoveryCodes}
      action={t.create}
      isReady={password !== ''}
      notReady={t.passwordMissing}
      onSubmit={async () => onCreated((await secondFactors.createRecoveryCodes({ password })).recoveryCodes)}
      onDismiss={onDismiss}
    >
      <Box>{t.newRecoveryCodesConsequences}</Box>
      <PasswordField label={t.currentPassword} value={password} onChange={setPassword} />
    </FormModal>
  )
}
