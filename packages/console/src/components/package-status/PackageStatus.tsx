import type { PackageStatus as StatusName } from '@wharf/contract'
import { Status } from '../Status.tsx'
import { hasFailed, useIsCancelled } from './use-is-cancelled.ts'

/** The status of a package; a cancelled job is not a failure. */
export const PackageStatus = ({ uuid, status }: { uuid: string; status: StatusName | undefined }) =>
  hasFailed(status) ? <FailedStatus uuid={uuid} status={status} /> : <Status value={status} />

const FailedStatus = ({ uuid, status }: { uuid: string; status: StatusName | undefined }) => (
  <Status value={useIsCancelled(uuid, status) ? 'Cancelled' : status} />
)
