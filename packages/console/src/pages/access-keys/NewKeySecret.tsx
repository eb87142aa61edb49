import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { linkTo, navigate } from '../../browser/route.ts'
import { SecretOnce } from '../../components/SecretOnce.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { setPlaygroundSecret } from './playground-secret.ts'
import { downloadSecret, type Secret } from './secret-file.ts'

export function NewKeySecret({ secret, onDismiss }: { secret: Secret; onDismiss: () => void }) {
  const t = useMessages(messages)
  const openPlayground = (): void => {
    setPlaygroundSecret(secret)
    navigate(linkTo(['access-keys', 'sign']))
  }
  return (
    <SecretOnce
      title={t.newTitle}
      values={[
        { label: t.keyId, text: secret.id },
        { label: t.secret, text: secret.secret },
      ]}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={openPlayground}>
            {t.tryIt}
          </Button>
          <Button iconName="download" onClick={() => downloadSecret(secret)}>
            {t.download}
          </Button>
        </SpaceBetween>
      }
      onDismiss={onDismiss}
    >
      <Alert type="warning">{t.shownOnce}</Alert>
    </SecretOnce>
  )
}
