import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { addSNSChatAppAtPerson, type ChatKind, updateAtPerson } from '@wharf/contract'
import { FormModal } from '../../../components/FormModal.tsx'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { isPinged } from '../../../features/chat-messages/mentions.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { RegisteredPerson } from './use-persons.ts'

interface PersonFormProps {
  readonly endpoint: { readonly uuid: string; readonly type: ChatKind }
  /** The person to edit; undefined to add one. */
  readonly person?: RegisteredPerson | undefined
  readonly onDismiss: () => void
}

export function PersonForm({ endpoint: { uuid: endpointUuid, type }, person, onDismiss }: PersonFormProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { atPersons } = useWharf()
  const initial = { userId: person?.userId ?? '', remark: person?.remark ?? '' }
  const draft = useFormDraft(`person ${person?.uuid ?? endpointUuid}`, initial)
  const { form, setForm } = draft
  const { userId, remark } = form
  const id = userId.trim()
  const clear: 'remark'[] = ['remark']
  const changes = { userId: id, ...(remark.trim() === '' ? { clear } : { remark }) }
  const fields = { endpointUuid, userId: id, ...(remark === '' ? {} : { remark }) }
  const call = person
    ? { operation: updateAtPerson, input: { uuid: person.uuid, ...changes } }
    : { operation: addSNSChatAppAtPerson, input: fields }
  const save = (): Promise<unknown> => (person ? atPersons.update(person.uuid, changes) : atPersons.add(fields))
  return (
    <FormModal
      title={person ? t.editTitle(person.remark || person.userId) : t.addTitle}
      action={person ? t.save : t.add}
      draft={draft}
      isReady={id !== ''}
      call={call}
      onSubmit={save}
      onDismiss={onDismiss}
    >
      <FormField
        label={t.userId}
        description={t.help[type]}
        warningText={id !== '' && !isPinged(type, id) ? t.invalidId(type) : null}
      >
        <Input
          value={userId}
          autoFocus
          autoComplete="off"
          onChange={({ detail }) => setForm({ ...form, userId: detail.value })}
        />
      </FormField>
      <FormField label={optional(t.remark)}>
        <Input value={remark} onChange={({ detail }) => setForm({ ...form, remark: detail.value })} />
      </FormField>
    </FormModal>
  )
}
