import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import type { ChatKind } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../../parts/FormModal.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { isPinged } from '../preview/called.ts'
import type { RegisteredPerson } from './use-persons.ts'
import { words } from './words.ts'

interface PersonFormProps {
  readonly endpoint: { readonly uuid: string; readonly type: ChatKind }
  /** The one that is changed; a new one without it. */
  readonly person?: RegisteredPerson | undefined
  readonly onDismiss: () => void
}

export function PersonForm({ endpoint: { uuid: endpointUuid, type }, person, onDismiss }: PersonFormProps) {
  const say = useWords(words)
  const { atPersons } = useWharf()
  const [userId, setUserId] = useState(person?.userId ?? '')
  const [remark, setRemark] = useState(person?.remark ?? '')
  const id = userId.trim()
  const save = (): Promise<unknown> =>
    person
      ? atPersons.update(person.uuid, { userId: id, ...(remark.trim() === '' ? { clear: ['remark'] } : { remark }) })
      : atPersons.add({ endpointUuid, userId: id, ...(remark === '' ? {} : { remark }) })
  return (
    <FormModal
      title={person ? say.editTitle(person.remark || person.userId) : say.addTitle}
      action={person ? say.save : say.add}
      isReady={id !== ''}
      onSubmit={save}
      onDismiss={onDismiss}
    >
      <FormField
        label={say.userId}
        description={say.hint[type]}
        warningText={id !== '' && !isPinged(type, id) ? say.unknown(type) : null}
      >
        <Input value={userId} autoFocus autoComplete="off" onChange={({ detail }) => setUserId(detail.value)} />
      </FormField>
      <FormField label={`${say.remark} – ${say.optional}`}>
        <Input value={remark} onChange={({ detail }) => setRemark(detail.value)} />
      </FormField>
    </FormModal>
  )
}
