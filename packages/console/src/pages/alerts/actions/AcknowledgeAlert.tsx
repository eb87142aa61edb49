import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { acknowledgeThirdpartyAlert } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
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
  const draft = useFormDraft(`acknowledgement ${uuid}`, { comment: '' })
  const { comment } = draft.form
  return (
    <FormModal
      title={t.acknowledgeTitle(name)}
      action={t.acknowledge}
      draft={draft}
      isReady
      call={{ operation: acknowledgeThirdpartyAlert, input: { uuid, comment } }}
      onSubmit={() => alerts.acknowledge(uuid, { comment })}
      onDismiss={onDismiss}
    >
      <div>{t.acknowledgeConsequences}</div>
      <FormField label={t.comment} description={t.optional}>
        <Textarea value={comment} rows={2} onChange={({ detail }) => draft.setForm({ comment: detail.value })} />
      </FormField>
    </FormModal>
  )
}
