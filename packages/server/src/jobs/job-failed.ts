import { jobTitle } from '@wharf/contract'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { SystemEvent } from '../events/system-event.ts'
import type { JobRow } from './job-row.ts'

/** The text of a failure is already masked. */
export const jobFailed = (job: JobRow, { code, message }: ApiError): SystemEvent => ({
  event: 'JobFailed',
  resource: { type: 'ApiJob', uuid: job.uuid, name: jobTitle(job) },
  target: job.targetName,
  reason: `${code} ${message}`,
  userName: job.userName,
})
