import { type AnswerOf, type Operation, permissions, queryUser, type Role } from '@wharf/contract'
import { useAnswer } from '../wharf/answers.ts'
import { useSession } from '../wharf/session.ts'
import { useWords } from '../words/words.ts'
import { words } from './words.ts'

export type User = NonNullable<AnswerOf<typeof queryUser>['inventories']>[number]

/** The most that each role may call; what stands before it in `permissions` it may call too. */
const most: Record<Role, (typeof permissions)[number]> = { reader: 'read', operator: 'operate', admin: 'administer' }

const mayCall = (role: Role, { permission }: Pick<Operation, 'permission'>): boolean =>
  permissions.indexOf(permission) <= permissions.indexOf(most[role])

/** Who is signed in; nobody while that is not known yet. */
export function useCaller(): User | undefined {
  const uuid = useSession()?.userUuid ?? ''
  const { data } = useAnswer(queryUser, { q: [`uuid=${uuid}`] }, { enabled: uuid !== '' })
  return data?.inventories?.[0]
}

export interface Refusal {
  readonly disabled: true
  readonly disabledReason: string
}

/** For a host, or a button of work on it: on the machine of the server that takes an admin, whatever the operation. */
export function useHostRefusal(): (host: { readonly driver?: string | undefined } | undefined) => Refusal | undefined {
  const say = useWords(words)
  const role = useCaller()?.role
  return (host) =>
    host?.driver !== 'local' || role === undefined || role === 'admin'
      ? undefined
      : { disabled: true, disabledReason: say.serverMachine(role) }
}

/** For a button: `{...refused(deleteHost)}` disables it, with the reason, for whoever may not call the operation. */
export function useRefusal(): (operation: Pick<Operation, 'permission'>) => Refusal | undefined {
  const say = useWords(words)
  const role = useCaller()?.role
  return (operation) =>
    role === undefined || mayCall(role, operation)
      ? undefined
      : { disabled: true, disabledReason: say.notAllowed(role, operation.permission === 'administer') }
}
