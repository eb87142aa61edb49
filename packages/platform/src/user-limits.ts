import { ApiError } from './api-error.ts'

/**
 * Limits per user, for every role: far above the needs of people and programs, and low enough that a single user cannot
 * exhaust the database, the memory or the sockets of a node. Existing records beyond a limit remain; new ones are refused.
 */
export interface UserLimits {
  /** A key for every program on every machine; a list of all of them is one page. */
  readonly accessKeys: number
  /** Of an admin, who may create any number of accounts: platforms create a key for each of their users. */
  readonly adminAccessKeys: number
  /** As many as a page shows by default; each is a file in the spool. */
  readonly openUploads: number
  /** Several for each of a thousand hosts. Counted only when jobs have to wait, so a few more may be accepted. */
  readonly activeJobs: number
  /** Refused calls that are kept as jobs, for clients that read errors only there: the oldest are removed. */
  readonly refusedCalls: number
  /** On one node, in memory: ten changes per second, all day. */
  readonly idempotencyKeysPerDay: number
  /** On one node: consoles in tabs, followed logs. Each is a socket. */
  readonly openStreams: number
  /** The same for all users behind one address, such as a proxy that is not trusted. */
  readonly openStreamsPerAddress: number
  /** Calls that wait for their jobs on one node; more get 202 immediately. */
  readonly waitingCalls: number
}

export const userLimits: UserLimits = {
  accessKeys: 500,
  adminAccessKeys: 10_000,
  openUploads: 1000,
  activeJobs: 5000,
  refusedCalls: 2000,
  idempotencyKeysPerDay: 1_000_000,
  openStreams: 500,
  openStreamsPerAddress: 2000,
  waitingCalls: 500,
}

/** `remedy`: how to free one. */
export const tooMany = (code: 'ID.1006' | 'SYS.1006', fact: string, remedy: string): ApiError =>
  new ApiError(code, `${fact}, the most that are allowed; ${remedy}`)
