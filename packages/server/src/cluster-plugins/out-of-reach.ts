import { ApiError } from '../platform/api-error.ts'

/** Where hosts reach this server. */
export interface ServerAddress {
  readonly url: string
  readonly ip: string
  readonly isLoopback: boolean
}

/** A component elsewhere could send nothing to an address of this machine only. */
export function refuseOutOfReach(
  { url, isLoopback }: ServerAddress,
  { name, driver }: { name: string; driver: string },
): void {
  if (!isLoopback || driver === 'local') return
  throw new ApiError(
    'SYS.1006',
    `host ${name} cannot reach ${url}, which is an address of this machine only; set WHARF_PUBLIC_URL to one that hosts can reach`,
  )
}
