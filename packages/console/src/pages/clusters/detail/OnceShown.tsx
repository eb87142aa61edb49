import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface OnceShownProps {
  readonly values: readonly { readonly label: string; readonly text: string }[]
  readonly onDismiss: () => void
  /** What to know about them. */
  readonly children?: ReactNode
}

/** A secret that the server does not tell a second time. */
export function OnceShown({ values, onDismiss, children }: OnceShownProps) {
  const say = useWords(words)
  return (
    <Modal
      visible
      header={say.shownOnce}
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onDismiss}>
            {say.keep}
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
                copyButtonAriaLabel={`${say.copy}: ${label}`}
                copySuccessText={say.copied}
                copyErrorText={say.notCopied}
              />
            ),
          }))}
        />
      </SpaceBetween>
    </Modal>
  )
}
