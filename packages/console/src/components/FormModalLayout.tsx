import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal, { type ModalProps } from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import { CopyAsCommand } from './copy-command/CopyAsCommand.tsx'
import type { ApiCall } from './copy-command/command-text.ts'
import { DraftNotice } from './DraftNotice.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import { messages } from './messages.ts'
import type { DraftState } from './use-form-draft.ts'

interface FormModalLayoutProps {
  readonly title: string
  readonly size?: ModalProps.Size
  readonly action: string
  /** The label of the dismiss button, where "Cancel" could mean the action itself. */
  readonly leave?: string | undefined
  readonly notReady?: string | undefined
  readonly isBusy: boolean
  readonly failure: unknown
  /** Of a form with input that must not be lost. */
  readonly draft?: DraftState | undefined
  /** What the submission calls, to copy as a command. */
  readonly call?: ApiCall | undefined
  readonly form?: RefObject<HTMLFormElement | null>
  readonly onSubmit: () => Promise<void>
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** A form in a modal; Enter submits it once. */
export function FormModalLayout(given: FormModalLayoutProps) {
  const { title, size, action, leave, notReady, isBusy, failure, draft, call, form, onSubmit, children } = given
  const t = useMessages(messages)
  const id = useId()
  const dismiss = (): void => (draft ? draft.leave(given.onDismiss) : given.onDismiss())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy && notReady === undefined) void onSubmit()
  }
  return (
    <Modal
      visible
      {...(size && { size })}
      header={title}
      onDismiss={dismiss}
      closeAriaLabel={t.close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {call ? <CopyAsCommand calls={[call]} /> : null}
            <Button variant="link" onClick={dismiss}>
              {leave ?? t.cancel}
            </Button>
            <Button
              variant="primary"
              form={id}
              formAction="submit"
              loading={isBusy}
              disabled={notReady !== undefined}
              {...(notReady && { disabledReason: notReady })}
            >
              {action}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={id} ref={form} onSubmit={submit}>
        <SpaceBetween size="l">
          {draft?.isRestored ? <DraftNotice draft={draft} /> : null}
          {children}
          {/* next to the submit button: the top of a long form is scrolled out of view */}
          {failure ? <ErrorAlert error={failure} /> : null}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
