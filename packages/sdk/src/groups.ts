import type * as contract from '@wharf/contract'
import { type AnswerOf, aliases, type FieldsOf, type Operation, operations, pathParameters } from '@wharf/contract'
import type { CallableOperation, FieldsAndTags, InputOf, JobCallOptions } from './call-types.ts'
import { type AllQuery, getOne, type QueryAnswer, queryAll, type RecordOf } from './pages.ts'

type Exports = typeof contract

/** The operations by their method names in the contract. */
type OperationsByName = {
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

/** Parameters: the path parameters, the fields, the call options. */
type Method<O extends Operation> = (
  ...parameters: [
    ...PathArguments<O['path']>,
    ...(Record<never, never> extends FieldsOf<O>
      ? [fields?: FieldsAndTags<O>, options?: JobCallOptions]
      : [fields: FieldsAndTags<O>, options?: JobCallOptions]),
  ]
) => Promise<AnswerOf<O>>

/** Adds `all` and `one` to collections. */
type RecordMethods<M> = (M extends { query: (...parameters: never[]) => Promise<infer A extends QueryAnswer> }
  ? {
      all: <F extends readonly string[] | undefined = undefined>(
        query?: AllQuery<F>,
        options?: Pick<JobCallOptions, 'signal'>,
      ) => AsyncGenerator<F extends readonly string[] ? Partial<RecordOf<A>> : RecordOf<A>>
    }
  : unknown) &
  (M extends { get: (...parameters: never[]) => Promise<infer A extends QueryAnswer> }
    ? { one: (uuid: string, options?: Pick<JobCallOptions, 'signal'>) => Promise<RecordOf<A>> }
    : unknown)

type Methods<G extends string> = {
  [Name in keyof OperationsByName as MethodIn<G, Name>]: Method<OperationsByName[Name]>
}

/** The methods of the client, such as `wharf.hosts.add(…)`. */
export type Groups = { readonly [G in Group<keyof OperationsByName>]: Methods<G> & RecordMethods<Methods<G>> }

export type Call = <O extends CallableOperation>(
  operation: O,
  input: InputOf<O>,
  options?: JobCallOptions,
) => Promise<AnswerOf<O>>

type AnyCall = (operation: Operation, input: object, options?: JobCallOptions) => Promise<object>

/** Creates one method per operation. */
export function createGroups(call: Call): Groups {
  const anyCall = call as unknown as AnyCall
  const groups: Record<string, Record<string, unknown>> = {}
  for (const operation of [...operations, ...aliases]) {
    if (operation.client === null) continue
    const [group, method] = operation.client.split('.') as [string, string]
    groups[group] ??= {}
    const methods = groups[group]
    methods[method] = createMethod(anyCall, operation)
    if (operation.queries === undefined) continue
    if (method === 'query')
      methods.all = (query?: AllQuery, options?: object) => queryAll(anyCall, operation, query ?? {}, options)
    else methods.one = (uuid: string, options?: object) => getOne(anyCall, operation, uuid, options)
  }
  return groups as unknown as Groups
}

function createMethod(call: AnyCall, operation: Operation) {
  const names = pathParameters(operation.path)
  return (...parameters: unknown[]): Promise<object> => {
    const path = names.map((name, index) => [name, parameters[index]])
    const [fields, options] = parameters.slice(names.length) as [object?, JobCallOptions?]
    return call(operation, { ...fields, ...Object.fromEntries(path) }, options)
  }
}
