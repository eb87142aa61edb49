import type { FieldsOf, Operation, PathParameter } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { JobRequest } from '../jobs/new-job-row.ts'
import type { Caller } from './caller.ts'

/** What every call has, whichever operation it calls. */
export interface CallContext {
  readonly caller: Caller
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  /** The address the call came from. */
  readonly source: string
  /** What the client calls itself, at most 256 characters; null when it does not. */
  readonly userAgent: string | null
  /** Aborted when the caller's connection is closed; most calls never need it, so it is created on demand. */
  disconnectSignal(): AbortSignal
  /** Another node forwarded it, because this node has what it needs. */
  readonly isRelayed: boolean
  /** The base URL of this API as the caller reaches it: URLs in answers start with it. */
  address(): string
  /** Caller, uuid and timeout of a job that this call starts. */
  readonly job: JobRequest
  /**
   * The transaction of a call that changes something. The idempotency key and the returned answer are stored in
   * the same transaction, so that a repeated call finds either both or neither.
   */
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** For a dry run: the call has no audit entry. */
  changesNothing(): void
  /** Refuses a caller whose rights were revoked. `commit` starts with it; a change before the commit must call it too. */
  authorise(tx: Tx): Promise<void>
}

/** One call of an operation, with its input read and checked. */
export interface Call<O extends Operation = Operation> extends CallContext {
  readonly path: Readonly<Record<PathParameter<O['path']>, string>>
  readonly fields: FieldsOf<O>
}
