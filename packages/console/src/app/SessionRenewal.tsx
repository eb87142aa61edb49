import Box from '@cloudscape-design/components/box'
import { Suspense, useState } from 'react'
import { requestLeave } from '../browser/leave-guard.ts'
import { FormModalLayout } from '../components/FormModalLayout.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { chooseAnotherUser, type Session, signInAgain } from '../data/session.ts'
import { useSignIn } from '../features/second-factor/use-sign-in.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { lazyPart } from './lazy-page.ts'
import { messages } from './messages.ts'

const SecondFactorInput = lazyPart(() => import('../features/second-factor/SecondFactorInput.tsx'))

/** Over the page of a session that has ended: the page stays as it is, and its calls continue after the sign-in. */
export function SessionRenewal({ session: { login, userName } }: { session: Session }) {
  const t = useMessages(messages)
  const [password, setPassword] = useState('')
  const { challenge, code, setCode, isBusy, failure, submit, usePasskey } = useSignIn((secondFactor) =>
    signInAgain(password, secondFactor),
  )
  const missing = challenge
    ? code === ''
      ? t.codeMissing
      : undefined
    : password === ''
      ? t.passwordMissing
      : undefined
  return (
    <FormModalLayout
      title={t.renewTitle}
      action={t.signIn}
      leave={t.anotherUser}
      notReady={missing}
      isBusy={isBusy}
      failure={failure}
      onSubmit={submit}
      onDismiss={() => requestLeave(chooseAnotherUser)}
    >
      <Box>{t.renewHelp}</Box>
      {challenge ? (
        <Suspense fallback={null}>
          <SecondFactorInput challenge={challenge} code={code} onChange={setCode} onPasskey={usePasskey} />
        </Suspense>
      ) : (
        <PasswordField
          label={t.passwordOf(login?.userName === undefined ? userName : `${login.accountName} / ${login.userName}`)}
          value={password}
          onChange={setPassword}
        />
      )}
    </FormModalLayout>
  )
}
