import type { Permission, Role } from '@wharf/contract'

/** What each role may call. `own` is further narrowed by the service to what belongs to the caller. */
const granted: Record<Role, ReadonlySet<Permission>> = {
  reader: new Set(['public', 'own', 'read']),
  operator: new Set(['public', 'own', 'read', 'operate']),
  admin: new Set(['public', 'own', 'read', 'operate', 'administer']),
}

export const mayCall = (role: Role, permission: Permission): boolean => granted[role].has(permission)

/** Whether `role` may call anything that `other` may not. */
export const hasMoreRights = (role: Role, other: Role): boolean => granted[role].size > granted[other].size
