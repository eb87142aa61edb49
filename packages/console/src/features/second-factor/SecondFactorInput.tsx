import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { SecondFactorChallenge } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { AuthenticatorSecret } from './AuthenticatorSecret.tsx'
import { messages } from './messages.ts'
import { provePasskey } from './prove-passkey.ts'

interface SecondFactorInputProps {
  readonly challenge: SecondFactorChallenge
  readonly code: string
  readonly onChange: (code: string) => void
  /** With a passkey there is nothing to type. */
  readonly onPasskey: (prove: () => Promise<string>) => void
}

/** The second step of a sign-in: a code, a passkey, or the enrolment that the server requires. */
export default function SecondFactorInput({ challenge, code, onChange, onPasskey }: SecondFactorInputProps) {
  const t = useMessages(messages)
  const { enrolment, passkey } = challenge
  return (
    <SpaceBetween size="m">
      {enrolment ? (
        <SpaceBetween size="s">
          <Box>{t.requires}</Box>
          <AuthenticatorSecret {...enrolment} />
        </SpaceBetween>
      ) : null}
      {passkey ? (
        <Button formAction="none" iconName="key" onClick={() => onPasskey(() => provePasskey(passkey))}>
          {t.usePasskey}
        </Button>
      ) : null}
      <FormField label={enrolment ? t.firstCode : t.code} constraintText={enrolment ? undefined : t.codeHelp}>
        <Input value={code} autoFocus autoComplete="one-time-code" onChange={({ detail }) => onChange(detail.value)} />
      </FormField>
    </SpaceBetween>
  )
}
