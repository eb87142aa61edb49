import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { type KeyScheme, keySchemes } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { playgroundSecret, setPlaygroundSecret } from './playground-secret.ts'
import { SignedSteps } from './SignedSteps.tsx'
import { canSign, defaultWord, isScheme, isStale, newNonce } from './signing.ts'

const pollMs = 10_000

const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }))

export function SigningPlayground() {
  const t = useMessages(messages)
  const [scheme, setScheme] = useState<KeyScheme>('rfc9421')
  const [method, setMethod] = useState('GET')
  const [path, setPath] = useState('/v1/hosts?limit=10')
  const [date, setDate] = useState(() => new Date().toUTCString())
  const [nonce, setNonce] = useState(newNonce)
  const [body, setBody] = useState('')
  const [id, setId] = useState(() => playgroundSecret()?.id ?? '')
  const [word, setWord] = useState(defaultWord)
  const [secret, setSecret] = useState(() => playgroundSecret()?.secret ?? '')
  useEffect(() => () => setPlaygroundSecret(undefined), [])
  const now = useNow()
  const isPath = path.startsWith('/v1/')
  const takesBody = method === 'POST' || method === 'PUT'
  const schemes = [...keySchemes].reverse().map((value) => ({ value, label: t.schemes[value] }))
  const hints = t.stepHints[scheme]
  const renew = (): void => {
    setDate(new Date().toUTCString())
    setNonce(newNonce())
  }
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={t.signIntro}>
        {t.sign}
      </Header>
      {canSign() ? null : <Alert type="warning">{t.insecure}</Alert>}
      <Container header={<Header variant="h2">{t.request}</Header>}>
        <ColumnLayout columns={2}>
          <FormField label={t.scheme} constraintText={hints.scheme}>
            <Select
              options={schemes}
              selectedOption={schemes.find(({ value }) => value === scheme) ?? null}
              onChange={({ detail }) => setScheme(detail.selectedOption.value === 'service' ? 'service' : 'rfc9421')}
            />
          </FormField>
          <FormField label={t.method}>
            <Select
              options={methods}
              selectedOption={methods.find(({ value }) => value === method) ?? null}
              onChange={({ detail }) => setMethod(detail.selectedOption.value ?? 'GET')}
            />
          </FormField>
          <FormField label={t.keyId}>
            <Input value={id} autoComplete="off" spellcheck={false} onChange={({ detail }) => setId(detail.value)} />
          </FormField>
          <FormField label={t.secret} constraintText={hints.secret}>
            <Input
              value={secret}
              type="password"
              autoComplete="off"
              onChange={({ detail }) => setSecret(detail.value)}
            />
          </FormField>
          <FormField label={t.path} constraintText={hints.path} errorText={isPath ? null : t.invalidPath}>
            <Input value={path} spellcheck={false} onChange={({ detail }) => setPath(detail.value)} />
          </FormField>
          <FormField
            label={t.date}
            constraintText={hints.date}
            warningText={isStale(date, now, scheme) ? t.stale : null}
          >
            <Grid gridDefinition={[{ colspan: { default: 8, xs: 9 } }, { colspan: { default: 4, xs: 3 } }]}>
              <Input value={date} spellcheck={false} onChange={({ detail }) => setDate(detail.value)} />
              <Button fullWidth onClick={renew}>
                {t.now}
              </Button>
            </Grid>
          </FormField>
          {scheme === 'service' ? (
            <FormField label={t.word} constraintText={t.wordHelp} errorText={isScheme(word) ? null : t.invalidWord}>
              <Input value={word} spellcheck={false} onChange={({ detail }) => setWord(detail.value)} />
            </FormField>
          ) : null}
          {takesBody ? (
            <FormField label={t.body} constraintText={hints.body}>
              <Textarea value={body} rows={2} spellcheck={false} onChange={({ detail }) => setBody(detail.value)} />
            </FormField>
          ) : null}
        </ColumnLayout>
      </Container>
      <SignedSteps request={{ method, path, date, body, nonce }} signingKey={{ id, secret, scheme, word }} />
    </SpaceBetween>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), pollMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
