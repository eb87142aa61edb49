import type { ModalProps } from '@cloudscape-design/components/modal'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import type { ApiCall } from './copy-command/command-text.ts'
import { FormModalLayout } from './FormModalLayout.tsx'
import { messages } from './messages.ts'
import type { DraftState } from './use-form-draft.ts'

interface FormModalProps {
  readonly title: string
  readonly size?: ModalProps.Size
  readonly action: string
  /** All required fields are filled in. */
  readonly isReady: boolean
  readonly notReady?: string
  /** The label of the dismiss button, where "Cancel" could mean the action itself. */
  readonly leave?: string
  /** Of a form with input that must not be lost. */
  readonly draft?: DraftState
  /** What the submission calls, to copy as a command. */
  readonly call?: ApiCall | undefined
  readonly onSubmit: () => Promise<unknown>
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** A modal with a few fields; it stays open and shows the error if the submission fails. */
export function FormModal({ isReady, notReady, onSubmit, onDismiss, ...shown }: FormModalProps) {
  const t = useMessages(messages)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onSubmit()
      shown.draft?.discard()
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <FormModalLayout
      {...shown}
      notReady={isReady ? undefined : (notReady ?? t.incomplete)}
      isBusy={isBusy}
      failure={failure}
      onSubmit={submit}
      onDismiss={onDismiss}
    />
  )
}
