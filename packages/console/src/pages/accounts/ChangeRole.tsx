import type { Role } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../components/FormModal.tsx'
import type { User } from '../../components/permission.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RoleChoice } from './RoleChoice.tsx'

export function ChangeRole({ user, onDismiss }: { user: User; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [role, setRole] = useState<Role>(user.role ?? 'reader')
  return (
    <FormModal
      title={t.changeRoleOf(user.name ?? '')}
      action={t.save}
      isReady={role !== user.role}
      onSubmit={() => wharf.users.update(user.uuid ?? '', { role })}
      onDismiss={onDismiss}
    >
      <RoleChoice role={role} onChange={setRole} />
    </FormModal>
  )
}
