import type { AnswerOf, Operation, Recorded } from '@wharf/contract'
import type { JobDefinition } from '../jobs/definition.ts'
import type { Call } from './call-context.ts'
import type { Caller } from './caller.ts'

export interface Binding {
  readonly operation: Operation
  readonly handler: (call: Call) => Promise<object | undefined> | object | undefined
  /** The job that the operation starts; registered with the runner when the server starts. */
  readonly job?: JobDefinition
  /** A secret of the operation's own, in the query, that replaces a credential. */
  readonly admits?: (path: Readonly<Record<string, string>>, query: string) => boolean
  /** For an operation whose path names the owner: throws, together with the check of the role, before the body is read. */
  readonly authorise?: (caller: Caller, path: Readonly<Record<string, string>>) => void
  /** Locked before the caller is, by changes of callers' rights: two that lock each other would deadlock. */
  readonly lock?: string
}

export function handle<O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Recorded<AnswerOf<O>>> | Recorded<AnswerOf<O>>,
  more: Pick<Binding, 'authorise' | 'lock'> = {},
): Binding {
  return { ...more, operation, handler: handler as unknown as Binding['handler'] }
}
