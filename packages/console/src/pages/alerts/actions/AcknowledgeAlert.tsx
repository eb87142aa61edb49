import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { FormModal } from '../../../components/FormModal.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface AlertDialogProps {
  readonly uuid: string
  readonly name: string
  readonly onDismiss: () => void
}

export function AcknowledgeAlert({ uuid, name, onDismiss }: AlertDialogProps) {
  const t = useMessages(messages)
  const { alerts } = useWharf()
  const [comment, setComment] = useState('')
  return (
    <FormModal
      title={t.acknowledgeTitle(name)}
      action={t.acknowledge}
      isReady
      onSubmit={() => alerts.acknowledge(uuid, { comment })}
      onDismiss={onDismiss}
    >
      <div>{t.acknowledgeMeans}</div>
      <FormField label={t.comment} description={t.optional}>
        <Textarea value={comment} rows={2} onChange={({ detail }) => setComment(detail.value)} />
      </FormField>
    </FormModal>
  )
}
