import type { AnswerOf, uploadSoftwarePackage } from '@wharf/contract'
import type { Groups } from '../generated-types.ts'
import type { Call } from '../groups.ts'
import type { Job } from '../jobs/job.ts'

/** The part of the client that an upload uses. */
export interface UploadClient extends Pick<Groups, 'hosts' | 'jobs' | 'managementNodes' | 'softwarePackages'> {
  readonly url: string
  readonly call: Call
  job<A>(uuid: string): Job<A>
}

export type UploadedPackage = AnswerOf<typeof uploadSoftwarePackage>['inventory']
