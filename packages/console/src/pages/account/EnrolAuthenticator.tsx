import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { FormModalLayout } from '../../components/FormModalLayout.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { AuthenticatorSecret } from '../../features/second-factor/AuthenticatorSecret.tsx'
import { messages as factorMessages } from '../../features/second-factor/messages.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface EnrolAuthenticatorProps {
  readonly onEnrolled: (recoveryCodes: readonly string[] | null) => void
  readonly onDismiss: () => void
}

/** Two steps: the password creates the secret, and its first code puts it into effect. */
export function EnrolAuthenticator({ onEnrolled, onDismiss }: EnrolAuthenticatorProps) {
  const t = useMessages(messages)
  const { firstCode } = useMessages(factorMessages)
  const { secondFactors } = useWharf()
  const [password, setPassword] = useState('')
  const [created, setCreated] = useState<{ secret: string; uri: string }>()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const next = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      if (created) return onEnrolled((await secondFactors.confirmAuthenticator({ code })).recoveryCodes)
      const { secret, uri } = await secondFactors.enrolAuthenticator({ password })
      setCreated({ secret: secret ?? '', uri: uri ?? '' })
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  const missing = created ? (code === '' ? t.codeMissing : undefined) : password === '' ? t.passwordMissing : undefined
  return (
    <FormModalLayout
      title={t.addAuthenticator}
      action={created ? t.add : t.next}
      notReady={missing}
      isBusy={isBusy}
      failure={failure}
      onSubmit={next}
      onDismiss={onDismiss}
    >
      {created ? (
        <SpaceBetween size="l">
          <AuthenticatorSecret {...created} />
          <FormField label={firstCode}>
            <Input
              value={code}
              autoFocus
              autoComplete="one-time-code"
              onChange={({ detail }) => setCode(detail.value)}
            />
          </FormField>
        </SpaceBetween>
      ) : (
        <PasswordField label={t.currentPassword} value={password} onChange={setPassword} />
      )}
    </FormModalLayout>
  )
}
