import { type Operation, permissions, type Role } from '@wharf/contract'

/** The highest permission of each role; it includes those before it in `permissions`. */
const highestPermission: Record<Role, (typeof permissions)[number]> = {
  reader: 'read',
  operator: 'operate',
  admin: 'administer',
}

export const mayCall = (role: Role, { permission }: Pick<Operation, 'permission'>): boolean =>
  permissions.indexOf(permission) <= permissions.indexOf(highestPermission[role])
