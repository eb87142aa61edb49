import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import type { Role } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../browser/route.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { NewPassword } from './NewPassword.tsx'
import { RoleChoice } from './RoleChoice.tsx'

interface NewUserProps {
  /** The account of the new user; undefined to create an account. */
  readonly account?: { readonly uuid: string; readonly name: string }
  readonly onDismiss: () => void
}

export function NewUser({ account, onDismiss }: NewUserProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [name, setName] = useState('')
  const [password, setPassword] = useState<string>()
  const [role, setRole] = useState<Role>(account ? 'reader' : 'operator')
  const [description, setDescription] = useState('')
  const create = async (): Promise<void> => {
    const fields = { name, password: password ?? '', role, ...(description === '' ? {} : { description }) }
    if (account) await wharf.users.create({ accountUuid: account.uuid, ...fields })
    else navigate(linkTo(['accounts', (await wharf.accounts.create(fields)).inventory.uuid]))
  }
  return (
    <FormModal
      title={account ? t.addUserTo(account.name) : t.create}
      action={account ? t.addUser : t.create}
      isReady={name !== '' && password !== undefined}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      {account ? null : <Box>{t.createIntro}</Box>}
      <FormField label={t.name}>
        <Input value={name} autoFocus autoComplete="off" onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <NewPassword label={t.password} onChange={setPassword} />
      <RoleChoice role={role} onChange={setRole} />
      <FormField label={`${t.description} – ${t.optional}`}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormModal>
  )
}
