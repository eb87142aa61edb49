import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import type { Role } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../frame/route.ts'
import { FormModal } from '../../parts/FormModal.tsx'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { PasswordTwice } from './PasswordTwice.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { words } from './words.ts'

interface NewUserProps {
  /** The account it becomes a user of; without one it is an account of its own. */
  readonly account?: { readonly uuid: string; readonly name: string }
  readonly onDismiss: () => void
}

export function NewUser({ account, onDismiss }: NewUserProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const [name, setName] = useState('')
  const [password, setPassword] = useState<string>()
  const [role, setRole] = useState<Role>(account ? 'reader' : 'operator')
  const [description, setDescription] = useState('')
  const create = async (): Promise<void> => {
    const fields = { name, password: password ?? '', role, ...(description === '' ? {} : { description }) }
    if (account) await wharf.users.create({ accountUuid: account.uuid, ...fields })
    else go(linkTo(['accounts', (await wharf.accounts.create(fields)).inventory.uuid]))
  }
  return (
    <FormModal
      title={account ? say.addUserTo(account.name) : say.create}
      action={account ? say.addUser : say.create}
      isReady={name !== '' && password !== undefined}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      {account ? null : <Box>{say.createIntro}</Box>}
      <FormField label={say.name}>
        <Input value={name} autoFocus autoComplete="off" onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <PasswordTwice label={say.password} onChange={setPassword} />
      <RoleChoice role={role} onChange={setRole} />
      <FormField label={`${say.description} – ${say.optional}`}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormModal>
  )
}
