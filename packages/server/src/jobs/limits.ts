/** How long and how many. Tests make them short. */
export interface JobLimits {
  /** A job whose owner has been silent for this long is taken over by another process. */
  leaseMs: number
  renewMs: number
  claimMs: number
  /** The rest waits its turn. A few more run when many are queued at the same moment. */
  maxRunning: number
  /** A step that was told to stop gets this long before the undo begins without it. */
  stopGraceMs: number
  undoTimeoutMs: number
  /** The pauses before an undo that failed is tried again. */
  undoRetryMs: readonly number[]
}

export const jobLimits: JobLimits = {
  leaseMs: 10_000,
  // a lease is renewed five times before it could run out
  renewMs: 2000,
  claimMs: 1000,
  // steps mostly wait for hosts, so many can run at once
  maxRunning: 256,
  stopGraceMs: 30_000,
  undoTimeoutMs: 300_000,
  undoRetryMs: [200, 1000, 5000],
}
