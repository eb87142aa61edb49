import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { queryUser } from '@wharf/contract'
import { useState } from 'react'
import { useChoices } from '../../parts/choices/use-choices.ts'
import { useSearch } from '../../parts/choices/use-search.ts'
import { FormModal } from '../../parts/FormModal.tsx'
import { type User, useCaller } from '../../parts/permission.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import type { Secret } from './secret-file.ts'
import { words } from './words.ts'

interface NewKeyProps {
  readonly onMade: (made: Secret) => void
  readonly onDismiss: () => void
}

/** An admin makes keys for everybody, others for themselves. */
export function NewKey({ onMade, onDismiss }: NewKeyProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const caller = useCaller()
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<string>()
  const mayChoose = caller === undefined || caller.role === 'admin'
  const { text, listOf } = useSearch()
  const users = useChoices(queryUser, { text, chosen: chosen ?? caller?.uuid })
  const user = users.chosen
  const optionOf = ({ uuid = '', name = '', role }: User) => ({ value: uuid, label: name, labelTag: role ?? '' })
  const create = async (): Promise<void> => {
    const { accountUuid = '', uuid: userUuid = '' } = user ?? {}
    const fields = { accountUuid, userUuid, ...(description === '' ? {} : { description }) }
    const { inventory } = await wharf.accessKeys.create(fields)
    onMade({ id: inventory.AccessKeyID, secret: inventory.AccessKeySecret ?? '' })
  }
  return (
    <FormModal
      title={say.create}
      action={say.create}
      isReady={user !== undefined}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      <Box>{say.createIntro}</Box>
      <FormField label={say.user}>
        <Select
          {...listOf(users)}
          options={users.records.map(optionOf)}
          selectedOption={user ? optionOf(user) : null}
          disabled={!mayChoose}
          onChange={({ detail }) => setChosen(detail.selectedOption.value)}
        />
      </FormField>
      <FormField label={`${say.description} – ${say.optional}`} description={say.whatFor}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormModal>
  )
}
