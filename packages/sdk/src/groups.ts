import { type AnswerOf, aliases, type Operation, operations, pathParameters } from '@wharf/contract'
import type { CallableOperation, InputOf, JobCallOptions } from './call-types.ts'
import type { Groups } from './generated-types.ts'
import { type AllQuery, getOne, queryAll } from './pages.ts'

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
    if (method === 'query' && pathParameters(operation.path).length > 0)
      methods.all = (uuid: string, query?: AllQuery, options?: object) =>
        queryAll(anyCall, operation, { ...query, uuid }, options)
    else if (method === 'query')
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
