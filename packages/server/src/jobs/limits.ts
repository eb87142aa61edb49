/** Tests make them short. */
export interface JobLimits {
  /** A job whose owner has been silent for this long is taken over by another process. */
  leaseMs: number
  renewMs: number
  claimMs: number
  /** Further jobs wait. A few more run when many are enqueued at the same time. */
  maxRunning: number
  /** The grace period of an aborted step, before the undo starts without it. */
  stopGraceMs: number
  undoTimeoutMs: number
  /** The pauses before the retries of a failed undo. */
  undoRetryMs: readonly number[]
}

export const jobLimits: JobLimits = {
  leaseMs: 10_000,
  // a lease is renewed five times before it can expire
  renewMs: 2000,
  claimMs: 1000,
  // steps mostly wait for hosts, so many can run in parallel
  maxRunning: 256,
  stopGraceMs: 30_000,
  undoTimeoutMs: 300_000,
  undoRetryMs: [200, 1000, 5000],
}
