import type { Role } from '@wharf/contract'
import type { User } from '../../components/permission.ts'

/** Why the server would reject it; a key of the messages. */
export type Reason =
  | 'noFactor'
  | 'ownFactors'
  | 'isBuiltIn'
  | 'lastAdmin'
  | 'yourself'
  | 'onlyOwnAccount'
  | 'onlyAdminForUsers'
  | 'providersUser'

export interface RuleContext {
  readonly caller: User | undefined
  /** The number of admins without a scope on the server; undefined while loading. */
  readonly admins: number | undefined
}

/** Identity providers can withdraw the role of their users at any time. */
const isOfProvider = ({ source }: User): boolean => source === 'OIDC'

/** An admin that is not limited to some hosts; one of them always exists. */
const isFullAdmin = (user: User): boolean =>
  user.role === 'admin' && (user.scope ?? []).length === 0 && !isOfProvider(user)

/** The query whose answer `countFullAdmins` counts. */
export const adminQuery = { q: ['role=admin'], fields: ['role', 'scope', 'source'], limit: 1000 }

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

export function roleChangeProblem(user: User, role: Role, context: RuleContext): Reason | undefined {
  if (isOfProvider(user)) return 'providersUser'
  return role !== 'admin' && isLastAdmin(user, context) ? 'lastAdmin' : undefined
}

/** A scope limits an admin, so that the last one without one keeps none. */
export const scopeChangeProblem = (user: User, context: RuleContext): Reason | undefined =>
  isLastAdmin(user, context) ? 'lastAdmin' : undefined

/** Users remove their own factors by proving one of them. */
export function factorRemovalProblem(user: User, { caller }: RuleContext): Reason | undefined {
  if (!user.hasSecondFactor) return 'noFactor'
  return user.uuid === caller?.uuid ? 'ownFactors' : undefined
}

/** Admins set all passwords; built-in users change their own. */
export function passwordChangeProblem(user: User, { caller }: RuleContext): Reason | undefined {
  if (isOfProvider(user)) return 'providersUser'
  if (caller === undefined || caller.role === 'admin') return undefined
  if (!isBuiltIn(user)) return 'onlyAdminForUsers'
  return caller.uuid === user.uuid ? undefined : 'onlyOwnAccount'
}
