import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { serverUrl } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { curlLine, isScheme, type RequestToSign, type Signing, type SigningKey, signRequest } from './signing.ts'

interface SignedStepsProps {
  readonly request: RequestToSign
  readonly signingKey: SigningKey
}

/** The text to sign, its signature, and the signed request. */
export function SignedSteps({ request, signingKey }: SignedStepsProps) {
  const t = useMessages(messages)
  const { text, signature, headers } = useSigning(request, signingKey)
  const { id, scheme, word } = signingKey
  const isReady = id !== '' && (scheme === 'rfc9421' || isScheme(word))
  const hints = t.stepHints[scheme]
  return (
    <SpaceBetween size="l">
      <Step number={1} title={t.text} hint={hints.text} text={text} />
      <Step number={2} title={t.signature} hint={hints.signature} text={signature} />
      <Step
        number={3}
        title={t.curl}
        hint={hints.curl}
        text={isReady && headers ? curlLine(serverUrl, request, headers) : undefined}
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

function useSigning(request: RequestToSign, signingKey: SigningKey): Signing {
  const [signing, setSigning] = useState<Signing>({})
  const inputs = JSON.stringify([request, signingKey])
  useEffect(() => {
    let isCurrent = true
    const [current, key] = JSON.parse(inputs) as [RequestToSign, SigningKey]
    // an address that is not valid yet has nothing to sign
    void signRequest(serverUrl, current, key)
      .catch((): Signing => ({}))
      .then((computed) => isCurrent && setSigning(computed))
    return () => {
      isCurrent = false
    }
  }, [inputs])
  return signing
}
