import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { createUser, deleteUser, endSessions, queryUser, removeSecondFactors, updateUser } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { type User, useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import {
  factorRemovalProblem,
  isBuiltIn,
  passwordChangeProblem,
  type RuleContext,
  roleChangeProblem,
  scopeChangeProblem,
  userDeletionProblem,
} from './account-rules.ts'
import { ChangePassword } from './ChangePassword.tsx'
import { ChangeRole } from './ChangeRole.tsx'
import { ChangeScope } from './ChangeScope.tsx'
import { messages } from './messages.ts'
import { NewUser } from './NewUser.tsx'

interface UsersProps {
  readonly account: { readonly uuid: string; readonly name: string }
  readonly users: readonly User[]
  readonly context: RuleContext
  readonly onChanged: (name: string) => void
}

type OpenDialog = { readonly what: string; readonly user?: User }

export function AccountUsers({ account, users, context, onChanged }: UsersProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  const { what, user } = dialog ?? {}
  const marks = (one: User): string =>
    [isBuiltIn(one) && t.builtIn, one.uuid === context.caller?.uuid && t.you].filter(Boolean).join(', ')
  const named = (one: User): string => (marks(one) === '' ? (one.name ?? '') : `${one.name} (${marks(one)})`)
  const items = (one: User) => {
    const byRole = refused(updateUser)?.disabledReason
    const reasons = {
      role: byRole ?? reasonText(roleChangeProblem(one, 'reader', context)),
      scope: byRole ?? reasonText(scopeChangeProblem(one, context)),
      password: reasonText(passwordChangeProblem(one, context)),
      sessions: undefined,
      factors: refused(removeSecondFactors)?.disabledReason ?? reasonText(factorRemovalProblem(one, context)),
      delete: refused(deleteUser)?.disabledReason ?? reasonText(userDeletionProblem(one, context)),
    }
    const texts = {
      role: t.changeRole,
      scope: t.changeScope,
      password: t.changePassword,
      sessions: t.endSessions,
      factors: t.removeFactors,
      delete: t.deleteUser,
    }
    return (['role', 'scope', 'password', 'sessions', 'factors', 'delete'] as const).map((id) => {
      const disabledReason = reasons[id]
      return { id, text: texts[id], ...(disabledReason === undefined ? {} : { disabled: true, disabledReason }) }
    })
  }
  const reasonText = (reason: ReturnType<typeof userDeletionProblem>): string | undefined => reason && t[reason]
  return (
    <>
      <SectionTable
        title={t.users}
        records={users}
        keyOf={({ uuid = '' }) => uuid}
        call={{ operation: queryUser, input: { q: [`accountUuid=${account.uuid}`] } }}
        actions={
          <Button {...refused(createUser)} onClick={() => setDialog({ what: 'create' })}>
            {t.addUser}
          </Button>
        }
        columns={[
          { field: 'name', label: t.name, cell: named },
          { field: 'role', label: t.role },
          { field: 'scope', label: t.scope, cell: ({ scope = [] }) => scope.join(', ') || t.allHosts },
          { field: 'source', label: t.source, cell: ({ source = 'Local' }) => t.sources[source] },
          { field: 'hasSecondFactor', label: t.secondFactor, cell: (one) => (one.hasSecondFactor ? t.yes : t.no) },
          { field: 'description', label: t.description },
          { field: 'createDate', label: t.created, cell: (one) => <RelativeTime time={one.createDate} /> },
        ]}
        rowActions={{
          label: t.actions,
          cell: (one) => (
            <ButtonDropdown
              variant="inline-icon"
              expandToViewport
              ariaLabel={t.actionsOn(one.name ?? '')}
              items={items(one)}
              onItemClick={({ detail }) => setDialog({ what: detail.id, user: one })}
            />
          ),
        }}
        empty="–"
      />
      {what === 'create' ? <NewUser account={account} onDismiss={close} /> : null}
      {what === 'role' && user ? <ChangeRole user={user} onDismiss={close} /> : null}
      {what === 'scope' && user ? <ChangeScope user={user} onDismiss={close} /> : null}
      {what === 'password' && user ? (
        <ChangePassword user={user} onChanged={() => onChanged(user.name ?? '')} onDismiss={close} />
      ) : null}
      {what === 'sessions' && user ? (
        <Confirm
          title={t.endSessionsTitle(user.name ?? '')}
          consequences={t.endSessionsConsequences}
          action={t.endSessions}
          call={{ operation: endSessions, input: { uuid: user.uuid ?? '' } }}
          onConfirm={() => wharf.users.endSessions(user.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
      {what === 'factors' && user ? (
        <Confirm
          title={t.removeFactorsTitle(user.name ?? '')}
          consequences={t.removeFactorsMean}
          action={t.removeFactors}
          call={{ operation: removeSecondFactors, input: { uuid: user.uuid ?? '' } }}
          onConfirm={() => wharf.users.removeSecondFactors(user.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
      {what === 'delete' && user ? (
        <Confirm
          title={t.deleteUserTitle(user.name ?? '')}
          consequences={t.deleteUserConsequences}
          action={t.deleteUser}
          call={{ operation: deleteUser, input: { uuid: user.uuid ?? '' } }}
          onConfirm={() => wharf.users.delete(user.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
    </>
  )
}
