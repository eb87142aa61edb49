import { jobTitle } from '@wharf/contract'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { OwnEvent } from '../events/own-event.ts'
import type { JobRow } from './job-row.ts'

/** The text of a failure is already masked. */
export const jobFailed = (job: JobRow, { code, message }: ApiError): OwnEvent => ({
  event: 'JobFailed',
  resource: { type: 'ApiJob', uuid: job.uuid, name: jobTitle(job) },
  target: job.targetName,
  reason: `${code} ${message}`,
  userName: job.userName,
})
