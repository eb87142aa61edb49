import type * as contract from '@wharf/contract'
import { type AnswerOf, type FieldsOf, type Operation, operations, pathParameters } from '@wharf/contract'
import type { CallableOperation, FieldsAndTags, InputOf, JobCallOptions } from './call-types.ts'
import { type AllQuery, all, one, type QueryAnswer, type RecordOf } from './pages.ts'

type Exports = typeof contract

/** The operations by the names that the contract gives their methods. */
type Named = {
  [K in keyof Exports as Exports[K] extends { client: infer C extends string }
    ? C
    : never]: Exports[K] extends Operation ? Exports[K] : never
}

type Group<Name> = Name extends `${infer G}.${string}` ? G : never
type MethodIn<G extends string, Name> = Name extends `${G}.${infer M}` ? M : never

/** `'/v1/hosts/{uuid}/actions'` → `[uuid: string]` */
type PathArguments<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [uuid: string, ...PathArguments<Rest>]
  : []

/** The variables of the path, then the fields, then how to call. */
type Method<O extends Operation> = (
  ...given: [
    ...PathArguments<O['path']>,
    ...(Record<never, never> extends FieldsOf<O>
      ? [fields?: FieldsAndTags<O>, options?: JobCallOptions]
      : [fields: FieldsAndTags<O>, options?: JobCallOptions]),
  ]
) => Promise<AnswerOf<O>>

/** Collections can be walked through, and have single records. */
type Records<M> = (M extends { query: (...given: never[]) => Promise<infer A extends QueryAnswer> }
  ? {
      all: <F extends readonly string[] | undefined = undefined>(
        query?: AllQuery<F>,
        options?: Pick<JobCallOptions, 'signal'>,
      ) => AsyncGenerator<F extends readonly string[] ? Partial<RecordOf<A>> : RecordOf<A>>
    }
  : unknown) &
  (M extends { get: (...given: never[]) => Promise<infer A extends QueryAnswer> }
    ? { one: (uuid: string, options?: Pick<JobCallOptions, 'signal'>) => Promise<RecordOf<A>> }
    : unknown)

type Methods<G extends string> = {
  [Name in keyof Named as MethodIn<G, Name>]: Method<Named[Name]>
}

/** `wharf.hosts.add(…)` and all the others. */
export type Groups = { readonly [G in Group<keyof Named>]: Methods<G> & Records<Methods<G>> }

export type Call = <O extends CallableOperation>(
  operation: O,
  input: InputOf<O>,
  options?: JobCallOptions,
) => Promise<AnswerOf<O>>

type AnyCall = (operation: Operation, input: object, options?: JobCallOptions) => Promise<object>

/** One method per operation, as the contract names it. */
export function groupsOf(call: Call): Groups {
  const anyCall = call as unknown as AnyCall
  const groups: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    if (operation.client === null) continue
    const [group, method] = operation.client.split('.') as [string, string]
    groups[group] ??= {}
    const methods = groups[group]
    methods[method] = methodOf(anyCall, operation)
    if (operation.queries === undefined) continue
    if (method === 'query')
      methods.all = (query?: AllQuery, options?: object) => all(anyCall, operation, query ?? {}, options)
    else methods.one = (uuid: string, options?: object) => one(anyCall, operation, uuid, options)
  }
  return groups as unknown as Groups
}

function methodOf(call: AnyCall, operation: Operation) {
  const variables = pathParameters(operation.path)
  return (...given: unknown[]): Promise<object> => {
    const path = variables.map((name, index) => [name, given[index]])
    const [fields, options] = given.slice(variables.length) as [object?, JobCallOptions?]
    return call(operation, { ...fields, ...Object.fromEntries(path) }, options)
  }
}
