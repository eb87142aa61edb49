import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { handOver } from './handed-secret.ts'
import { downloadSecret, type Secret } from './secret-file.ts'
import { words } from './words.ts'

interface ShownOnceProps {
  readonly made: Secret
  readonly onDone: () => void
}

/** Nothing but its buttons closes it: a click beside it would lose the secret. */
export function ShownOnce({ made, onDone }: ShownOnceProps) {
  const say = useWords(words)
  const tryIt = (): void => {
    handOver(made)
    go(linkTo(['access-keys', 'sign']))
  }
  const shown = (text: string) => (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      textToDisplay={text}
      copyButtonAriaLabel={say.copy}
      copySuccessText={say.copied}
      copyErrorText={say.copyFailed}
    />
  )
  return (
    <Modal
      visible
      size="medium"
      header={say.newTitle}
      onDismiss={({ detail }) => {
        if (detail.reason === 'closeButton') onDone()
      }}
      closeAriaLabel={say.done}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={tryIt}>
              {say.tryIt}
            </Button>
            <Button iconName="download" onClick={() => downloadSecret(made)}>
              {say.download}
            </Button>
            <Button variant="primary" onClick={onDone}>
              {say.done}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{say.shownOnce}</Alert>
        <KeyValuePairs
          items={[
            { label: say.keyId, value: <code>{shown(made.id)}</code> },
            { label: say.secret, value: <code>{shown(made.secret)}</code> },
          ]}
        />
      </SpaceBetween>
    </Modal>
  )
}
