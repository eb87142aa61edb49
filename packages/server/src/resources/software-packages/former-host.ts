import type { ErrorCode } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostRow } from '../hosts/service.ts'
import type { PackageRow } from './store.ts'

/**
 * A package from backup storage whose installation failed on one host is installed on another only after the first has
 * confirmed that no hook of the package runs on it. A host that cannot confirm it now is refused immediately.
 */
export function refuseFormerHost(row: PackageRow, former: HostRow): void {
  const { managementNodeUuid: node, name, status } = former
  // only that node can reach the host, and the job may need to run on another node
  if (node !== null)
    throw new ApiError(
      'SYS.1005',
      `software package ${row.name} was last installed on host ${name}, the machine of management node ${node}; uninstall it there before you install it on another host`,
    )
  if (status !== 'Connected') throw formerHostFailure('HOST.1010', row, former, `is ${status}`)
}

export const formerHostFailure = (code: ErrorCode, row: PackageRow, { name, address }: HostRow, fact: string) =>
  new ApiError(
    code,
    `a program of software package ${row.name} may still run on host ${name} (${address}), which ${fact}; reconnect the host, or delete the package by force and upload it again`,
  )
