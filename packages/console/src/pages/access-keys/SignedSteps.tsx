import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { serverUrl } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { Secret } from './secret-file.ts'
import { canSign, curlLine, isScheme, type SignedRequest, signatureOf, textToSign } from './signing.ts'

interface SignedStepsProps {
  readonly request: SignedRequest
  readonly body: string
  readonly accessKey: Secret
  readonly scheme: string
}

/** The text to sign, its signature, and the signed request. */
export function SignedSteps({ request, body, accessKey, scheme }: SignedStepsProps) {
  const t = useMessages(messages)
  const text = textToSign(request)
  const signature = useSignature(text, accessKey.secret)
  const isKnown = signature !== undefined && accessKey.id !== '' && isScheme(scheme)
  const authorization = `${scheme} ${accessKey.id}:${signature}`
  return (
    <SpaceBetween size="l">
      <Step number={1} title={t.text} hint={t.textHint} text={text} />
      <Step number={2} title={t.signature} hint={t.signatureHint} text={signature} />
      <Step
        number={3}
        title={t.curl}
        hint={t.curlHint}
        text={isKnown ? curlLine(request, { server: serverUrl, authorization, body }) : undefined}
      />
    </SpaceBetween>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly hint: string
  readonly text: string | undefined
}

function Step({ number, title, hint, text }: StepProps) {
  const t = useMessages(messages)
  const copy = (
    <CopyToClipboard
      variant="icon"
      textToCopy={text ?? ''}
      copyButtonAriaLabel={`${t.copy}: ${title}`}
      copySuccessText={t.copied}
      copyErrorText={t.copyFailed}
    />
  )
  return (
    <Container
      header={
        <Header variant="h2" description={hint} actions={text === undefined ? null : copy}>
          {`${number}. ${title}`}
        </Header>
      }
    >
      {text === undefined ? <Box color="text-body-secondary">{t.missing}</Box> : <pre className="log">{text}</pre>}
    </Container>
  )
}

function useSignature(text: string, secret: string): string | undefined {
  const [signature, setSignature] = useState<string>()
  useEffect(() => {
    setSignature(undefined)
    if (secret === '' || !canSign()) return
    let isCurrent = true
    void signatureOf(text, secret).then((computed) => isCurrent && setSignature(computed))
    return () => {
      isCurrent = false
    }
  }, [text, secret])
  return signature
}
