import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import type { ApiCall } from './copy-command/command-text.ts'
import { FormModal } from './FormModal.tsx'
import { messages } from './messages.ts'

interface ConfirmProps {
  readonly title: string
  readonly consequences: ReactNode
  readonly action: string
  /** Must be typed before an action that cannot be undone. */
  readonly name?: string
  /** The label of the dismiss button. */
  readonly keep?: string
  /** What the confirmation calls, to copy as a command. */
  readonly call?: ApiCall | undefined
  readonly onConfirm: () => Promise<unknown>
  readonly onDismiss: () => void
}

/** Requests confirmation and names the consequences. */
export function Confirm({ title, consequences, action, name, keep, call, onConfirm, onDismiss }: ConfirmProps) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState('')
  const isReady = name === undefined || typed === name
  return (
    <FormModal
      title={title}
      action={action}
      leave={keep ?? t.keep}
      isReady={isReady}
      notReady={t.typeToConfirm(name ?? '')}
      call={call}
      onSubmit={onConfirm}
      onDismiss={onDismiss}
    >
      <Box>{consequences}</Box>
      {name === undefined ? null : (
        <FormField label={t.typeToConfirm(name)}>
          <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
        </FormField>
      )}
    </FormModal>
  )
}
