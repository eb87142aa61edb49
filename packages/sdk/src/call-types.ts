import type { ClientName, FieldsOf, Operation, PathParameter } from '@wharf/contract'
import type { JobStatus } from './jobs/job-status.ts'

/** Every operation but the streams, which have methods of their own. */
export type CallableOperation = Operation & { readonly client: ClientName }

export interface Tags {
  systemTags?: readonly string[] | undefined
  userTags?: readonly string[] | undefined
}

/** Undefined is as good as absent. */
export type Lenient<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] | undefined }

type Simplified<T> = { [K in keyof T]: T[K] }

/** What stands beside the variables of the path. */
export type FieldsAndTags<O> = Simplified<Lenient<FieldsOf<O>> & Tags>

/** The variables of the path and the fields, together. */
export type InputOf<O extends Operation> = Simplified<Record<PathParameter<O['path']>, string> & FieldsAndTags<O>>

export interface CallOptions {
  /** Ends the waiting. The server goes on with what it has begun, unless `cancelOnAbort`. */
  signal?: AbortSignal | undefined
  /** For a call that another process may repeat; made up when absent. */
  idempotencyKey?: string | undefined
}

export interface StartOptions extends CallOptions {
  /** How long the job may take, as `X-API-Timeout`. */
  jobTimeoutSeconds?: number | undefined
}

/** For whoever waits while a server is restarted. */
export interface OutageListener {
  /** Called once per outage, with its reason; it is retried from then on. */
  onDisconnected?: ((error: Error) => void) | undefined
  /** Called when the server has answered again. */
  onReconnected?: (() => void) | undefined
}

export interface WaitOptions extends OutageListener {
  signal?: AbortSignal | undefined
  /** Told whenever the job has come further. */
  onProgress?: ((status: JobStatus) => void) | undefined
  /** Told every line of the job's log. */
  onLog?: ((line: string) => void) | undefined
  /** An abort also cancels the job, which then undoes what it did. */
  cancelOnAbort?: boolean | undefined
}

export interface JobCallOptions extends StartOptions, WaitOptions {}
