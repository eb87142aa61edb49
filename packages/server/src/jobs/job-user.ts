import { ApiError } from '@wharf/platform/api-error.ts'
import type { ActiveJob } from './store.ts'

export interface JobUser {
  readonly userUuid: string
  readonly role: string
}

export const othersJob = ({ operation, uuid, userUuid }: ActiveJob, subjectUuid: string): ApiError =>
  new ApiError(
    'ID.1002',
    `${operation} is still running on ${subjectUuid}, as job ${uuid} of user ${userUuid}; only an admin may cancel the job of another user: wait until it has ended, or ask an admin`,
  )
