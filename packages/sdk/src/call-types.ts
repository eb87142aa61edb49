import type { ClientName, FieldsOf, Operation, PathParameter } from '@wharf/contract'
import type { JobStatus } from './jobs/job-status.ts'

/** Every operation except the streams, which have dedicated methods. */
export type CallableOperation = Operation & { readonly client: ClientName }

export interface Tags {
  systemTags?: readonly string[] | undefined
  userTags?: readonly string[] | undefined
}

/** Allows undefined for optional fields. */
export type Lenient<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] | undefined }

type Simplified<T> = { [K in keyof T]: T[K] }

/** Everything except the path parameters. */
export type FieldsAndTags<O> = Simplified<Lenient<FieldsOf<O>> & Tags>

/** The path parameters and the fields. */
export type InputOf<O extends Operation> = Simplified<Record<PathParameter<O['path']>, string> & FieldsAndTags<O>>

export interface CallOptions {
  /** Stops waiting. The server continues the operation, unless `cancelOnAbort` is set. */
  signal?: AbortSignal | undefined
  /** For a call that another process may repeat; generated when absent. */
  idempotencyKey?: string | undefined
}

export interface StartOptions extends CallOptions {
  /** Deadline of the job, sent as `X-API-Timeout`. */
  jobTimeoutSeconds?: number | undefined
}

/** Reports outages while a caller waits. */
export interface OutageListener {
  /** Called once per outage with its reason, before the first retry. */
  onDisconnected?: ((error: Error) => void) | undefined
  /** Called when the server responds again. */
  onReconnected?: (() => void) | undefined
}

export interface WaitOptions extends OutageListener {
  signal?: AbortSignal | undefined
  /** Called when the state, the progress or the step of the job changes. */
  onProgress?: ((status: JobStatus) => void) | undefined
  /** Called with every line of the job's log. */
  onLog?: ((line: string) => void) | undefined
  /** Each line of `onLog` starts with its time, in UTC with milliseconds, and a space. */
  timestamps?: boolean | undefined
  /** An abort also cancels the job, which then undoes its steps. */
  cancelOnAbort?: boolean | undefined
}

export interface JobCallOptions extends StartOptions, WaitOptions {}
