import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { setPlaygroundSecret } from './playground-secret.ts'
import { downloadSecret, type Secret } from './secret-file.ts'

interface NewKeySecretProps {
  readonly made: Secret
  readonly onDone: () => void
}

/** Nothing but its buttons closes it: a click beside it would lose the secret. */
export function NewKeySecret({ made, onDone }: NewKeySecretProps) {
  const t = useMessages(messages)
  const tryIt = (): void => {
    setPlaygroundSecret(made)
    navigate(linkTo(['access-keys', 'sign']))
  }
  const shown = (text: string) => (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      textToDisplay={text}
      copyButtonAriaLabel={t.copy}
      copySuccessText={t.copied}
      copyErrorText={t.copyFailed}
    />
  )
  return (
    <Modal
      visible
      size="medium"
      header={t.newTitle}
      onDismiss={({ detail }) => {
        if (detail.reason === 'closeButton') onDone()
      }}
      closeAriaLabel={t.done}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={tryIt}>
              {t.tryIt}
            </Button>
            <Button iconName="download" onClick={() => downloadSecret(made)}>
              {t.download}
            </Button>
            <Button variant="primary" onClick={onDone}>
              {t.done}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t.shownOnce}</Alert>
        <KeyValuePairs
          items={[
            { label: t.keyId, value: <code>{shown(made.id)}</code> },
            { label: t.secret, value: <code>{shown(made.secret)}</code> },
          ]}
        />
      </SpaceBetween>
    </Modal>
  )
}
