import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { createAccount, createUser, type Role } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { linesOf } from '../../components/condition-lines.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { NewPassword } from '../../components/NewPassword.tsx'
import { ScopeInput } from '../../components/ScopeInput.tsx'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../components/use-optional-label.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RoleChoice } from './RoleChoice.tsx'

interface NewUserProps {
  /** The account of the new user; undefined to create an account. */
  readonly account?: { readonly uuid: string; readonly name: string }
  readonly onDismiss: () => void
}

interface UserForm {
  readonly name: string
  readonly password: string
  readonly role: Role
  /** One condition per line. */
  readonly scope: string
  readonly description: string
}

export function NewUser({ account, onDismiss }: NewUserProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const wharf = useWharf()
  const role = account ? 'reader' : 'operator'
  const empty: UserForm = { name: '', password: '', role, scope: '', description: '' }
  const draft = useFormDraft<UserForm>(`user ${account?.uuid ?? ''}`, empty)
  const { form, setForm } = draft
  const { description, scope: scopeText, ...others } = form
  const scope = linesOf(scopeText)
  const fields = {
    ...others,
    ...(scope.length === 0 ? {} : { scope }),
    ...(description === '' ? {} : { description }),
  }
  const call = account
    ? { operation: createUser, input: { accountUuid: account.uuid, ...fields } }
    : { operation: createAccount, input: fields }
  const create = async (): Promise<void> => {
    if (account) return void (await wharf.users.create({ accountUuid: account.uuid, ...fields }))
    const { inventory } = await wharf.accounts.create(fields)
    draft.discard()
    navigate(linkTo(['accounts', inventory.uuid]))
  }
  return (
    <FormModal
      title={account ? t.addUserTo(account.name) : t.create}
      action={account ? t.addUser : t.create}
      draft={draft}
      isReady={form.name !== '' && form.password !== ''}
      call={call}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      {account ? null : <Box>{t.createIntro}</Box>}
      <FormField label={t.name}>
        <Input
          value={form.name}
          autoFocus
          autoComplete="off"
          onChange={({ detail }) => setForm({ ...form, name: detail.value })}
        />
      </FormField>
      <NewPassword label={t.password} onChange={(password = '') => setForm({ ...form, password })} />
      <RoleChoice role={form.role} onChange={(chosen) => setForm({ ...form, role: chosen })} />
      <ScopeInput value={scopeText} onChange={(value) => setForm({ ...form, scope: value })} />
      <FormField label={optional(t.description)}>
        <Input value={form.description} onChange={({ detail }) => setForm({ ...form, description: detail.value })} />
      </FormField>
    </FormModal>
  )
}
