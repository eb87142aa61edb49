import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { FairQueue } from '@wharf/platform/fair-queue.ts'

/**
 * How much work a read can be, judged before it runs. `page`: the limit bounds it. `scan`: an index may serve it, or it
 * visits every row. `slow`: a single row may already be expensive.
 */
export type ReadCost = 'page' | 'scan' | 'slow'

export interface ReadOptions {
  readonly cost?: ReadCost
  /** Whether it may have more characters than are read in one piece, so that they are counted. */
  readonly isLarge?: boolean
  /** The user of the read: slow reads are queued fairly by user. */
  readonly userUuid?: string | undefined
  /** Aborted when the caller has disconnected; only a read that has to wait creates it. */
  readonly disconnectSignal?: (() => AbortSignal) | undefined
}

/** More are refused. Of scans few are slow, so that many may wait. */
export const waitingPerUser: Record<ReadCost, number> = { page: 1000, scan: 1000, slow: 64 }

/** Tests make them short. */
export interface ReadLimits {
  /** No read of a caller runs longer, on either engine. A search through a million records takes a second or two. */
  readonly readMs: number
  /** A scan that takes longer on the main thread of a SQLite node starts again in a thread of its own. */
  readonly mainThreadMs: number
}

export const readLimits: ReadLimits = { readMs: 10_000, mainThreadMs: 20 }

/**
 * Matching a pattern takes time in proportion to its length times that of the text, and cannot be interrupted within a
 * row: this keeps the longest text under half a second.
 */
export const maxPatternCharacters = 1024

/** Up to here a page is read in one piece on the main thread; what may become larger is counted as it is read. */
export const maxInlineCharacters = 16 * 1024 * 1024

/** Of one answer: a page is written in one piece, which blocks all other calls meanwhile. */
export const maxPageCharacters = 32 * 1024 * 1024

export const readTooSlow = (readMs: number): ApiError =>
  new ApiError(
    'SYS.1001',
    `the query took longer than ${readMs / 1000} s and was stopped; use fewer or shorter patterns (~=, !~=), or add conditions that fewer records meet`,
  )

/** Limits the expensive reads of callers; those that wait are served fairly by user. */
export const readQueue = (limits: { running: number; runningPerShare: number; readMs: number }): FairQueue => {
  const waitMs = 3 * limits.readMs
  const rejected = (details: string): ApiError => new ApiError('SYS.1010', details, { retryAfterSeconds: 2 })
  return new FairQueue({
    ...limits,
    waitMs,
    tooMany: (waiting) =>
      rejected(
        `${waiting} slow queries of this user are waiting already; wait for their answers, or narrow the conditions`,
      ),
    tooLate: () =>
      rejected(`the query waited ${waitMs / 1000} s for other slow queries; try again, or narrow the conditions`),
  })
}

export const pageTooLarge = (): ApiError =>
  invalid(
    `limit: the page is larger than ${maxPageCharacters / 1024 / 1024} MiB; use a smaller limit, or name the fields that are needed`,
  )

/** How many characters the values of a row have together. */
export function charactersOf(values: readonly unknown[]): number {
  let sum = 0
  for (const value of values) if (typeof value === 'string') sum += value.length
  return sum
}
