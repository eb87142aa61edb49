import type { Role } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostRow } from './store.ts'

type Host = Pick<HostRow, 'name' | 'address' | 'driver'>

/** The role is absent in jobs of an earlier version. */
type HostUser = { readonly role?: Role | undefined }

/** On the machine of a server, programs run as the server's user and can read its keys, so this requires an admin. */
export const canWorkOn = ({ driver }: Pick<Host, 'driver'>, { role }: HostUser): boolean =>
  driver !== 'local' || role === 'admin'

export function requireWorkOn(host: Host, user: HostUser): void {
  if (canWorkOn(host, user)) return
  throw new ApiError(
    'ID.1002',
    `host ${host.name} (${host.address}) is the machine of a management node, where packages run as the server's own user; this requires the role admin: ask an admin, or use another host`,
  )
}
