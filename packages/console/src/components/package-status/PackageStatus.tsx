import type { PackageStatus as StatusName } from '@wharf/contract'
import { Status } from '../Status.tsx'
import { useIsCancelled } from './use-is-cancelled.ts'

/** The status of a package; a cancelled job is not a failure. */
export function PackageStatus({ uuid, status }: { uuid: string; status: StatusName | undefined }) {
  return <Status value={useIsCancelled(uuid, status) ? 'Cancelled' : status} />
}
