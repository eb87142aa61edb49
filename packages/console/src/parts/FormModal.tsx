import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useWords } from '../words/words.ts'
import { Failure } from './Failure.tsx'
import { words } from './words.ts'

interface FormModalProps {
  readonly title: string
  readonly action: string
  /** Whether everything that is needed has been filled in. */
  readonly isReady: boolean
  /** What is missing, when it is not ready. */
  readonly notReady?: string
  /** The way out, where "Cancel" could be taken for the action itself. */
  readonly leave?: string
  readonly onSubmit: () => Promise<unknown>
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** A few fields over the page. Enter sends them; it stays open, with the reason, when that did not work. */
export function FormModal({ title, action, isReady, onSubmit, onDismiss, children, ...said }: FormModalProps) {
  const say = useWords(words)
  const { notReady = say.fillIn, leave = say.cancel } = said
  const form = useId()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await onSubmit()
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal
      visible
      header={title}
      onDismiss={onDismiss}
      closeAriaLabel={say.close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              {leave}
            </Button>
            <Button
              variant="primary"
              form={form}
              formAction="submit"
              loading={isBusy}
              disabled={!isReady}
              disabledReason={notReady}
            >
              {action}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <SpaceBetween size="m">
          {children}
          {/* beside the button that was pressed: a long form has scrolled its beginning away */}
          {failure ? <Failure error={failure} /> : null}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
