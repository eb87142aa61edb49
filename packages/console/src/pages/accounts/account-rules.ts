import type { Role } from '@wharf/contract'
import type { User } from '../../components/permission.ts'

/** Why the server would reject it; a key of the messages. */
export type Reason = 'isBuiltIn' | 'lastAdmin' | 'yourself' | 'onlyOwnAccount' | 'onlyAdminForUsers'

export interface RuleContext {
  readonly caller: User | undefined
  /** The number of admins on the server; undefined while loading. */
  readonly admins: number | undefined
}

const isLastAdmin = ({ role }: User, { admins }: RuleContext): boolean => role === 'admin' && admins === 1

/** The built-in user has the uuid of its account. */
export const isBuiltIn = ({ uuid, accountUuid }: User): boolean => uuid === accountUuid

export function accountDeletionProblem(users: readonly User[], { caller, admins }: RuleContext): Reason | undefined {
  if (caller !== undefined && users.some(({ uuid }) => uuid === caller.uuid)) return 'yourself'
  const within = users.filter(({ role }) => role === 'admin').length
  return within > 0 && within === admins ? 'lastAdmin' : undefined
}

export function userDeletionProblem(user: User, context: RuleContext): Reason | undefined {
  if (isBuiltIn(user)) return 'isBuiltIn'
  if (user.uuid === context.caller?.uuid) return 'yourself'
  return isLastAdmin(user, context) ? 'lastAdmin' : undefined
}

export const roleChangeProblem = (user: User, role: Role, context: RuleContext): Reason | undefined =>
  role !== 'admin' && isLastAdmin(user, context) ? 'lastAdmin' : undefined

/** Admins set all passwords; built-in users change their own. */
export function passwordChangeProblem(user: User, { caller }: RuleContext): Reason | undefined {
  if (caller === undefined || caller.role === 'admin') return undefined
  if (!isBuiltIn(user)) return 'onlyAdminForUsers'
  return caller.uuid === user.uuid ? undefined : 'onlyOwnAccount'
}
