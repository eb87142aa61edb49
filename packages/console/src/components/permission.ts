import { type AnswerOf, mayCall, type Operation, ownsJob, queryUser } from '@wharf/contract'
import { useApiQuery } from '../data/api-query.ts'
import { useSession } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

export type User = NonNullable<AnswerOf<typeof queryUser>['inventories']>[number]

/** The signed-in user; undefined while loading. */
export function useCaller(): User | undefined {
  const uuid = useSession()?.userUuid ?? ''
  const { data } = useApiQuery(queryUser, { q: [`uuid=${uuid}`] }, { enabled: uuid !== '' })
  return data?.inventories?.[0]
}

export interface Refusal {
  readonly disabled: true
  readonly disabledReason: string
}

/** Operations on the server's own machine need an admin, whatever the operation. */
export function useHostRefusal(): (host: { readonly driver?: string | undefined } | undefined) => Refusal | undefined {
  const t = useMessages(messages)
  const role = useCaller()?.role
  return (host) =>
    host?.driver !== 'local' || role === undefined || role === 'admin'
      ? undefined
      : { disabled: true, disabledReason: t.serverMachine(role) }
}

/** For a button: `{...refused(deleteHost)}` disables it, with the reason, for callers who may not call the operation. */
export function useRefusal(): (operation: Pick<Operation, 'permission' | 'isForAllHosts'>) => Refusal | undefined {
  const t = useMessages(messages)
  const { role, scope = [] } = useCaller() ?? {}
  return (operation) => {
    if (role === undefined) return undefined
    if (!mayCall(role, operation))
      return { disabled: true, disabledReason: t.notAllowed(role, operation.permission === 'administer') }
    return operation.isForAllHosts && scope.length > 0
      ? { disabled: true, disabledReason: t.allHostsOnly(scope.join(', ')) }
      : undefined
  }
}

/** Whether only others may cancel and retry a job; false while the caller is loading. */
export function useIsOthersJob(): (job: { readonly userUuid?: string }) => boolean {
  const { uuid, role } = useCaller() ?? {}
  return ({ userUuid }) =>
    uuid !== undefined &&
    role !== undefined &&
    userUuid !== undefined &&
    !ownsJob({ userUuid: uuid, role }, { userUuid })
}
