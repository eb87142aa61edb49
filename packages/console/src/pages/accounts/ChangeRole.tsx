import { type Role, updateUser } from '@wharf/contract'
import { FormModal } from '../../components/FormModal.tsx'
import type { User } from '../../components/permission.ts'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RoleChoice } from './RoleChoice.tsx'

export function ChangeRole({ user, onDismiss }: { user: User; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const initial: { role: Role } = { role: user.role ?? 'reader' }
  const draft = useFormDraft(`role ${user.uuid}`, initial)
  const { role } = draft.form
  return (
    <FormModal
      title={t.changeRoleOf(user.name ?? '')}
      action={t.save}
      draft={draft}
      isReady={role !== user.role}
      call={{ operation: updateUser, input: { uuid: user.uuid, role } }}
      onSubmit={() => wharf.users.update(user.uuid ?? '', { role })}
      onDismiss={onDismiss}
    >
      <RoleChoice role={role} onChange={(chosen) => draft.setForm({ role: chosen })} />
    </FormModal>
  )
}
