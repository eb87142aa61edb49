import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { focusInModal } from '../browser/focus-in-modal.ts'
import { requestLeave } from '../browser/leave-guard.ts'
import { FormModalLayout } from '../components/FormModalLayout.tsx'
import { chooseAnotherUser, type Session, signInAgain } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Over the page of a session that has ended: the page stays as it is, and its calls continue after the sign-in. */
export function SessionRenewal({ session: { login, userName } }: { session: Session }) {
  const t = useMessages(messages)
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const renew = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await signInAgain(password)
    } catch (error) {
      setFailure(error)
      setPassword('')
      setBusy(false)
    }
  }
  return (
    <FormModalLayout
      title={t.renewTitle}
      action={t.signIn}
      leave={t.anotherUser}
      notReady={password === '' ? t.passwordMissing : undefined}
      isBusy={isBusy}
      failure={failure}
      onSubmit={renew}
      onDismiss={() => requestLeave(chooseAnotherUser)}
    >
      <Box>{t.renewMeans}</Box>
      <FormField
        label={t.passwordOf(login?.userName === undefined ? userName : `${login.accountName} / ${login.userName}`)}
      >
        <Input
          ref={focusInModal}
          value={password}
          type="password"
          autoComplete="current-password"
          onChange={({ detail }) => setPassword(detail.value)}
        />
      </FormField>
    </FormModalLayout>
  )
}
