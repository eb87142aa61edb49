import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, useEffect, useState } from 'react'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { signIn, useHasEnded } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function SignIn() {
  const t = useMessages(messages)
  const hasEnded = useHasEnded()
  const [accountName, setAccountName] = useState('admin')
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isReady = accountName !== '' && password !== ''
  useEffect(() => {
    document.title = `${t.signIn} · ${t.product}`
  }, [t])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await signIn(accountName, password, userName || undefined)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <Container header={<Header variant="h1">{t.signIn}</Header>}>
          <Form
            actions={
              <Button
                variant="primary"
                formAction="submit"
                loading={isBusy}
                disabled={!isReady}
                disabledReason={t.signInIncomplete}
              >
                {t.signIn}
              </Button>
            }
          >
            <SpaceBetween size="m">
              {hasEnded && !failure ? (
                <div role="alert">
                  <Alert type="info">{t.sessionEnded}</Alert>
                </div>
              ) : null}
              {failure ? <ErrorAlert error={failure} /> : null}
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
          </Form>
        </Container>
      </form>
    </main>
  )
}
