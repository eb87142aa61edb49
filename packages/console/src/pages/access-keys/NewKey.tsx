import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { queryUser } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../parts/FormModal.tsx'
import { useCaller } from '../../parts/permission.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import type { Secret } from './secret-file.ts'
import { words } from './words.ts'

const everyUser = { sort: '+name', limit: 1000 }

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
  const { data } = useAnswer(queryUser, everyUser)
  const mayChoose = caller === undefined || caller.role === 'admin'
  const users = mayChoose ? (data?.inventories ?? []) : [caller]
  const user = users.find(({ uuid }) => uuid === (chosen ?? caller?.uuid))
  const options = users.map(({ uuid = '', name = '', role = '' }) => ({ value: uuid, label: name, labelTag: role }))
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
          options={options}
          selectedOption={options.find(({ value }) => value === user?.uuid) ?? null}
          disabled={!mayChoose}
          filteringType="auto"
          onChange={({ detail }) => setChosen(detail.selectedOption.value)}
        />
      </FormField>
      <FormField label={`${say.description} – ${say.optional}`} description={say.whatFor}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormModal>
  )
}
