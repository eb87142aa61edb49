import { ApiError } from '@wharf/platform/api-error.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'

/** A component elsewhere could send nothing to an address of this machine only. */
export function refuseOutOfReach(
  { url, isLoopback }: Pick<ServerAddress, 'url' | 'isLoopback'>,
  { name, driver }: { name: string; driver: string },
): void {
  if (!isLoopback || driver === 'local') return
  throw new ApiError(
    'SYS.1006',
    `host ${name} cannot reach ${url}, which is an address of this machine only; set WHARF_PUBLIC_URL to one that hosts can reach`,
  )
}
