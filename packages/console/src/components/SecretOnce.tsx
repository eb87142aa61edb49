import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { messages } from '../pages/clusters/detail/messages.ts'

interface SecretOnceProps {
  readonly values: readonly { readonly label: string; readonly text: string }[]
  readonly onDismiss: () => void
  /** What to know about them. */
  readonly children?: ReactNode
}

/** A secret that the server does not tell a second time. */
export function SecretOnce({ values, onDismiss, children }: SecretOnceProps) {
  const t = useMessages(messages)
  return (
    <Modal
      visible
      header={t.shownOnce}
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onDismiss}>
            {t.keep}
          </Button>
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
