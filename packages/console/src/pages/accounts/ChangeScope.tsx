import { updateUser } from '@wharf/contract'
import { linesOf } from '../../components/condition-lines.ts'
import { FormModal } from '../../components/FormModal.tsx'
import type { User } from '../../components/permission.ts'
import { ScopeInput } from '../../components/ScopeInput.tsx'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function ChangeScope({ user, onDismiss }: { user: User; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const before = (user.scope ?? []).join('\n')
  const draft = useFormDraft(`scope ${user.uuid}`, { scope: before })
  const scope = linesOf(draft.form.scope)
  return (
    <FormModal
      title={t.changeScopeOf(user.name ?? '')}
      action={t.save}
      draft={draft}
      isReady={scope.join('\n') !== before}
      call={{ operation: updateUser, input: { uuid: user.uuid, scope } }}
      onSubmit={() => wharf.users.update(user.uuid ?? '', { scope })}
      onDismiss={onDismiss}
    >
      <ScopeInput value={draft.form.scope} onChange={(value) => draft.setForm({ scope: value })} />
    </FormModal>
  )
}
