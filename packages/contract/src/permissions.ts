import type { Role } from './accounts.ts'
import { type Operation, type Permission, permissions } from './operation.ts'

/** The highest permission of each role; it includes those before it in `permissions`. */
const highestPermission: Record<Role, Permission> = { reader: 'read', operator: 'operate', admin: 'administer' }

const rankOf = (role: Role): number => permissions.indexOf(highestPermission[role])

/** By the role alone: a service further narrows `own` to what belongs to the caller. */
export const mayCall = (role: Role, { permission }: Pick<Operation, 'permission'>): boolean =>
  permissions.indexOf(permission) <= rankOf(role)

/** A job is cancelled and retried by the user who started it, or by an admin. */
export const ownsJob = (
  caller: { readonly userUuid: string; readonly role: string },
  job: { readonly userUuid: string },
): boolean => caller.role === 'admin' || job.userUuid === caller.userUuid

/** Whether `role` may call anything that `other` may not. */
export const hasMoreRights = (role: Role, other: Role): boolean => rankOf(role) > rankOf(other)

/** Whether a list of operations and groups, as an access key may have one, contains this operation. An empty list is not a limit. */
export const isListed = (list: readonly string[], { name, resource }: Pick<Operation, 'name' | 'resource'>): boolean =>
  list.length === 0 || list.includes(name) || list.includes(`${resource}:*`)

/** The role with fewer rights; `limit` is null where there is none. */
export const lowerRole = (role: Role, limit: Role | null): Role =>
  limit !== null && hasMoreRights(role, limit) ? limit : role
