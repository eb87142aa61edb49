import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { updateAccount, updateUser } from '@wharf/contract'
import { FormModal } from '../../components/FormModal.tsx'
import { NewPassword } from '../../components/NewPassword.tsx'
import { type User, useCaller } from '../../components/permission.ts'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { isBuiltIn } from './account-rules.ts'
import { messages } from './messages.ts'

interface ChangePasswordProps {
  readonly user: User
  readonly onChanged: () => void
  readonly onDismiss: () => void
}

/** The password of an account is that of its built-in user. Other roles than admin must enter the current one. */
export function ChangePassword({ user, onChanged, onDismiss }: ChangePasswordProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const needsOld = useCaller()?.role !== 'admin'
  const draft = useFormDraft(`password ${user.uuid}`, { oldPassword: '', password: '' })
  const { form, setForm } = draft
  const { oldPassword, password } = form
  const { uuid = '', name = '' } = user
  const fields = { password, ...(isBuiltIn(user) && needsOld ? { oldPassword } : {}) }
  const change = async (): Promise<void> => {
    if (isBuiltIn(user)) await wharf.accounts.update(uuid, fields)
    else await wharf.users.update(uuid, { password })
    onChanged()
  }
  return (
    <FormModal
      title={t.changePasswordOf(name)}
      action={t.changePassword}
      draft={draft}
      isReady={password !== '' && !(needsOld && oldPassword === '')}
      call={{ operation: isBuiltIn(user) ? updateAccount : updateUser, input: { uuid, ...fields } }}
      onSubmit={change}
      onDismiss={onDismiss}
    >
      <Box>{t.passwordConsequences}</Box>
      {needsOld ? (
        <FormField label={t.oldPassword}>
          <Input
            value={oldPassword}
            type="password"
            autoComplete="current-password"
            onChange={({ detail }) => setForm({ ...form, oldPassword: detail.value })}
          />
        </FormField>
      ) : null}
      <NewPassword label={t.newPassword} onChange={(password = '') => setForm({ ...form, password })} />
    </FormModal>
  )
}
