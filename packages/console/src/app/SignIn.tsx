import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { type FormEvent, Suspense, useEffect, useState } from 'react'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { signIn, useHasEnded } from '../data/session.ts'
import { useSignIn } from '../features/second-factor/use-sign-in.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { lazyPart } from './lazy-page.ts'
import { messages } from './messages.ts'
import { ProviderButtons } from './ProviderButtons.tsx'

const SecondFactorInput = lazyPart(() => import('../features/second-factor/SecondFactorInput.tsx'))

export function SignIn() {
  const t = useMessages(messages)
  const hasEnded = useHasEnded()
  const [accountName, setAccountName] = useState('admin')
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const { challenge, code, setCode, isBusy, failure, submit, usePasskey, restart } = useSignIn(
    (secondFactor, answered) =>
      signIn({
        accountName,
        ...(userName === '' ? {} : { userName }),
        password,
        secondFactor,
        hasEnrolled: Boolean(answered?.enrolment),
      }),
  )
  const isReady = challenge ? code !== '' : accountName !== '' && password !== ''
  useEffect(() => {
    document.title = `${t.signIn} · ${t.product}`
  }, [t])
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady && !isBusy) void submit()
  }
  return (
    <main className="sign-in">
      <form onSubmit={onSubmit}>
        <Container header={<Header variant="h1">{t.signIn}</Header>}>
          <Form
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                {challenge ? (
                  <Button variant="link" formAction="none" onClick={restart}>
                    {t.back}
                  </Button>
                ) : null}
                <Button
                  variant="primary"
                  formAction="submit"
                  loading={isBusy}
                  disabled={!isReady}
                  disabledReason={challenge ? t.codeMissing : t.signInIncomplete}
                >
                  {t.signIn}
                </Button>
              </SpaceBetween>
            }
          >
            <SpaceBetween size="m">
              {hasEnded && !failure ? (
                <div role="alert">
                  <Alert type="info">{t.sessionEnded}</Alert>
                </div>
              ) : null}
              {failure ? <ErrorAlert error={failure} /> : null}
              {challenge ? (
                <Suspense fallback={<Spinner />}>
                  <SecondFactorInput challenge={challenge} code={code} onChange={setCode} onPasskey={usePasskey} />
                </Suspense>
              ) : (
                <SpaceBetween size="m">
                  <ProviderButtons />
                  <FormField label={t.accountName}>
                    <Input
                      value={accountName}
                      autoComplete="username"
                      onChange={({ detail }) => setAccountName(detail.value)}
                    />
                  </FormField>
                  <FormField label={t.userName}>
                    <Input value={userName} autoComplete="off" onChange={({ detail }) => setUserName(detail.value)} />
                  </FormField>
                  <FormField label={t.password}>
                    <Input
                      value={password}
                      type="password"
                      autoFocus
                      autoComplete="current-password"
                      onChange={({ detail }) => setPassword(detail.value)}
                    />
                  </FormField>
                  <Box variant="small" color="text-body-secondary">
                    {t.firstSignIn}
                  </Box>
                </SpaceBetween>
              )}
            </SpaceBetween>
          </Form>
        </Container>
      </form>
    </main>
  )
}
