import type { AnswerOf, getApiJob } from '@wharf/contract'

/** State and progress of a job. */
export type JobStatus = AnswerOf<typeof getApiJob>

/** The result of one poll. */
export type JobPoll<Answer> =
  | { readonly running: JobStatus; readonly retryAfterMs?: number }
  | { readonly answer: Answer }
