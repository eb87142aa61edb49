import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { FormModalLayout } from './FormModalLayout.tsx'
import { messages } from './messages.ts'

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

/** A few fields over the page. It stays open, with the reason, when what they are for did not work. */
export function FormModal({ isReady, notReady, onSubmit, onDismiss, ...shown }: FormModalProps) {
  const t = useMessages(messages)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = async (): Promise<void> => {
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
