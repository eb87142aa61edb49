import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface SecretOnceProps {
  readonly title?: string
  readonly values: readonly { readonly label: string; readonly text: string }[]
  /** More buttons, before the one that closes the dialog. */
  readonly actions?: ReactNode
  readonly onDismiss: () => void
  readonly children?: ReactNode
}

/** Shows secrets that the server returns only once, so only its buttons close it: a click beside it would lose them. */
export function SecretOnce({ title, values, actions, onDismiss, children }: SecretOnceProps) {
  const t = useMessages(messages)
  return (
    <Modal
      visible
      header={title ?? t.secretTitle}
      closeAriaLabel={t.close}
      onDismiss={({ detail }) => {
        if (detail.reason === 'closeButton') onDismiss()
      }}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {actions}
            <Button variant="primary" onClick={onDismiss}>
              {t.secretSaved}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {children}
        <KeyValuePairs
          columns={1}
          items={values.map(({ label, text }) => ({
            label,
            value: (
              <CopyToClipboard
                variant="inline"
                textToCopy={text}
                textToDisplay={<span className="secret">{text}</span>}
                copyButtonAriaLabel={`${t.copy}: ${label}`}
                copySuccessText={t.copied}
                copyErrorText={t.notCopied}
              />
            ),
          }))}
        />
      </SpaceBetween>
    </Modal>
  )
}
