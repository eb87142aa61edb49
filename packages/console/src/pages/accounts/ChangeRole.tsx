import type { Role } from '@wharf/contract'
import { useState } from 'react'
import { FormModal } from '../../parts/FormModal.tsx'
import type { User } from '../../parts/permission.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { words } from './words.ts'

export function ChangeRole({ user, onDismiss }: { user: User; onDismiss: () => void }) {
  const say = useWords(words)
  const wharf = useWharf()
  const [role, setRole] = useState<Role>(user.role ?? 'reader')
  return (
    <FormModal
      title={say.changeRoleOf(user.name ?? '')}
      action={say.save}
      isReady={role !== user.role}
      onSubmit={() => wharf.users.update(user.uuid ?? '', { role })}
      onDismiss={onDismiss}
    >
      <RoleChoice role={role} onChange={setRole} />
    </FormModal>
  )
}
