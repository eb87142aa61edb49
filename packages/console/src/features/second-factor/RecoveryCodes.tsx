import Box from '@cloudscape-design/components/box'
import { SecretOnce } from '../../components/SecretOnce.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function RecoveryCodes({ codes, onDismiss }: { codes: readonly string[]; onDismiss: () => void }) {
  const t = useMessages(messages)
  return (
    <SecretOnce
      title={t.recoveryCodes}
      values={[{ label: t.recoveryCodes, text: codes.join('\n') }]}
      onDismiss={onDismiss}
    >
      <Box>{t.recoveryCodesHelp}</Box>
    </SecretOnce>
  )
}
