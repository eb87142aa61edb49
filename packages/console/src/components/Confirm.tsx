import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { FormModal } from './FormModal.tsx'
import { messages } from './messages.ts'

interface ConfirmProps {
  readonly title: string
  /** What happens, and what does not. */
  readonly consequences: ReactNode
  readonly action: string
  /** Has to be typed, where a mistake cannot be taken back. */
  readonly name?: string
  /** The way out, where it is more than leaving things as they are. */
  readonly keep?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onDismiss: () => void
}

/** Asks before something is lost, with the consequences named. */
export function Confirm({ title, consequences, action, name, keep, onConfirm, onDismiss }: ConfirmProps) {
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
