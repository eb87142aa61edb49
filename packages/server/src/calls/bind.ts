import type { AnswerOf, FieldsOf, Operation, PathParameter, Recorded } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { JobRequest } from '../jobs/service.ts'
import type { Caller } from './caller.ts'

/** One call, read and checked: what a handler works with. */
export interface Call<O extends Operation = Operation> {
  readonly caller: Caller
  readonly path: Readonly<Record<PathParameter<O['path']>, string>>
  readonly fields: FieldsOf<O>
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  /** The address the call came from. */
  readonly source: string
  /** Aborted when the caller's connection is closed; most calls never need it, so it is created on demand. */
  hungUp(): AbortSignal
  /** Another node makes it for its caller, because this one has what it needs. */
  readonly isRelayed: boolean
  /** Of this API, as the caller knows it; what is handed out to be called later begins with it. */
  address(): string
  /** What a job made by this call is to be called, and how long it may take. */
  readonly job: JobRequest
  /**
   * The transaction of a call that changes something. The idempotency key and what is returned here are kept in
   * the same transaction, so that a repeated call finds either both or neither.
   */
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Refuses a caller who may no longer do this. `commit` begins with it; what changes something before that, too. */
  authorise(tx: Tx): Promise<void>
}

export interface Binding {
  readonly operation: Operation
  readonly handler: (call: Call) => Promise<object | undefined> | object | undefined
  /** A secret of the operation's own, in the query, that stands in for a credential. */
  readonly admits?: (path: Readonly<Record<string, string>>, query: string) => boolean
  /** Where the path alone tells whose it is: throws, together with the check of the role, before anything is read. */
  readonly authorise?: (caller: Caller, path: Readonly<Record<string, string>>) => void
  /** Taken before the caller is locked, by changes of what callers may: two that lock each other would wait in vain. */
  readonly lock?: string
}

export function handle<O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Recorded<AnswerOf<O>>> | Recorded<AnswerOf<O>>,
  more: Pick<Binding, 'authorise' | 'lock'> = {},
): Binding {
  return { ...more, operation, handler: handler as unknown as Binding['handler'] }
}

/** A job operation: the handler answers with the job it made, or at once when nothing has to be waited for. */
export function start<O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Promise<{ jobUuid: string } | Recorded<AnswerOf<O>>>,
): Binding {
  return { operation, handler: handler as unknown as Binding['handler'] }
}
