import type { Role } from '@wharf/contract'
import type { User } from '../../components/permission.ts'

/** Why the server would reject it; a key of the messages. */
export type Reason = 'isBuiltIn' | 'lastAdmin' | 'yourself' | 'onlyOwnAccount' | 'onlyAdminForUsers'

export interface RuleContext {
  readonly caller: User | undefined
  /** The number of admins without a scope on the server; undefined while loading. */
  readonly admins: number | undefined
}

/** An admin that is not limited to some hosts; one of them always exists. */
const isFullAdmin = ({ role, scope = [] }: User): boolean => role === 'admin' && scope.length === 0

/** The query whose answer `countFullAdmins` counts. */
export const adminQuery = { q: ['role=admin'], fields: ['role', 'scope'], limit: 1000 }

export const countFullAdmins = (admins: readonly User[] | undefined): number | undefined =>
  admins?.filter(isFullAdmin).length

const isLastAdmin = (user: User, { admins }: RuleContext): boolean => isFullAdmin(user) && admins === 1

/** The built-in user has the uuid of its account. */
export const isBuiltIn = ({ uuid, accountUuid }: User): boolean => uuid === accountUuid

export function accountDeletionProblem(users: readonly User[], { caller, admins }: RuleContext): Reason | undefined {
  if (caller !== undefined && users.some(({ uuid }) => uuid === caller.uuid)) return 'yourself'
  const within = users.filter(isFullAdmin).length
  return within > 0 && within === admins ? 'lastAdmin' : undefined
}

export function userDeletionProblem(user: User, context: RuleContext): Reason | undefined {
  if (isBuiltIn(user)) return 'isBuiltIn'
  if (user.uuid === context.caller?.uuid) return 'yourself'
  return isLastAdmin(user, context) ? 'lastAdmin' : undefined
}

export const roleChangeProblem = (user: User, role: Role, context: RuleContext): Reason | undefined =>
  role !== 'admin' && isLastAdmin(user, context) ? 'lastAdmin' : undefined

/** A scope limits an admin, so that the last one without one keeps none. */
export const scopeChangeProblem = (user: User, context: RuleContext): Reason | undefined =>
  isLastAdmin(user, context) ? 'lastAdmin' : undefined

/** Admins set all passwords; built-in users change their own. */
export function passwordChangeProblem(user: User, { caller }: RuleContext): Reason | undefined {
  if (caller === undefined || caller.role === 'admin') return undefined
  if (!isBuiltIn(user)) return 'onlyAdminForUsers'
  return caller.uuid === user.uuid ? undefined : 'onlyOwnAccount'
}
