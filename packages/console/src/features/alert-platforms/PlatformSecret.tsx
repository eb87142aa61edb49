import Alert from '@cloudscape-design/components/alert'
import { alertmanagerConfig, isLoopbackUrl } from '@wharf/sdk'
import { SecretOnce } from '../../components/SecretOnce.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface PlatformSecretProps {
  readonly url: string
  readonly token: string
  readonly onDismiss: () => void
}

/** The settings that an Alertmanager needs. */
export function PlatformSecret({ url, token, onDismiss }: PlatformSecretProps) {
  const t = useMessages(messages)
  return (
    <SecretOnce
      values={[
        { label: t.url, text: url },
        { label: t.token, text: token },
        { label: t.config, text: alertmanagerConfig({ url, token }) },
      ]}
      onDismiss={onDismiss}
    >
      {isLoopbackUrl(url) ? <Alert type="warning">{t.loopback(new URL(url).origin)}</Alert> : null}
    </SecretOnce>
  )
}
