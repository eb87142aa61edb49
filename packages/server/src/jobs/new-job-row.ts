import { jobTitle, type NamedJob } from '@wharf/contract'
import type { JobRow } from './job-row.ts'

export interface JobRequest {
  caller: { accountUuid: string; userUuid: string; userName?: string }
  /** What the caller may choose: X-Job-UUID and X-API-Timeout. */
  uuid?: string | undefined
  timeoutSeconds?: number | undefined
}

export type NewJobRow = Omit<JobRow, 'leaseUntil'>

/** The row of a job that failed before its first step; a new job overrides names, state, owner and times. */
export const newJobRow = ({ uuid, caller }: JobRequest & { uuid: string }, operation: string, now: number) => ({
  uuid,
  operation,
  subjectUuid: null,
  relatedUuid: null,
  hostUuid: null,
  subjectName: null,
  subjectVersion: null,
  targetName: null,
  accountUuid: caller.accountUuid,
  userUuid: caller.userUuid,
  userName: caller.userName || null,
  summary: summaryOf({ operation }, caller.userName),
  managementNodeUuid: null,
  state: 'Failed' as const,
  progress: 0,
  position: 0,
  currentStep: null,
  errorCode: null,
  sealedCall: null,
  sealedMemory: null,
  sealedOutcome: null,
  owner: null,
  fence: 1,
  deadline: now,
  cancelRequested: 0,
  auditSource: null,
  auditChanges: null,
  createDate: now,
  lastOpDate: now,
  endDate: now,
})

export const summaryOf = (job: NamedJob, userName: string | undefined): string =>
  `${jobTitle(job)}${userName ? `, started by ${userName}` : ''}`
