import type { AnswerOf, getApiJob } from '@wharf/contract'

/** How far a job has come. */
export type JobStatus = AnswerOf<typeof getApiJob>

/** What a look at a job finds. */
export type Look<Answer> = { readonly running: JobStatus; readonly retryAfterMs?: number } | { readonly answer: Answer }
