import type { Tx } from '@wharf/database/database.ts'
import type { CallContext } from '../../calls/call-context.ts'
import type { HostRow, HostService } from '../hosts/service.ts'
import type { PackageRow, SoftwarePackageService } from './service.ts'

interface PackageHostDeps {
  readonly packages: SoftwarePackageService
  readonly hosts: HostService
}

/** Refuses a caller who may not work on the other hosts that have parts of the package. */
export async function authoriseKindHosts(
  { caller }: CallContext,
  row: PackageRow,
  { packages, hosts }: PackageHostDeps,
  tx?: Tx,
): Promise<void> {
  for (const uuid of (await packages.kindOf(row)?.hostsOf(row, tx)) ?? []) await hosts.getForWork(uuid, caller, tx)
}

/** The host of the package, if any; refuses a caller who may not work on every host that has parts of it. */
export async function getAuthorisedHost(
  call: CallContext,
  row: PackageRow,
  deps: PackageHostDeps,
  tx?: Tx,
): Promise<HostRow | undefined> {
  await authoriseKindHosts(call, row, deps, tx)
  return row.hostUuid === null ? undefined : deps.hosts.getForWork(row.hostUuid, call.caller, tx)
}
