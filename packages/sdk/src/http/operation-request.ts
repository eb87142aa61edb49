import { type Operation, pathParameters } from '@wharf/contract'
import type { Request } from './transport.ts'

const tagNames = ['systemTags', 'userTags']

/** Maps the input to the path, the query, or the named structure of the body. */
export function operationRequest(
  { name, method, path, structure }: Operation,
  input: Readonly<Record<string, unknown>>,
): Pick<Request, 'method' | 'path' | 'query' | 'body'> {
  const variables = pathParameters(path)
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  const fields = given.filter(([key]) => !variables.includes(key))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => pathSegment(name, variable, input[variable]))
  if (structure === undefined) return { method, path: filled, query: queryOf(fields) }
  const tags = fields.filter(([key]) => tagNames.includes(key))
  const inner = fields.filter(([key]) => !tagNames.includes(key))
  return {
    method,
    path: filled,
    body: JSON.stringify({ [structure]: Object.fromEntries(inner), ...Object.fromEntries(tags) }),
  }
}

/** An empty or dotted segment would change the path. */
function pathSegment(operation: string, variable: string, value: unknown): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value))
    throw new TypeError(`${operation} requires ${variable}; ${JSON.stringify(value)} is not valid`)
  return encodeURIComponent(value)
}

export function queryOf(fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams()
  for (const [key, value] of fields)
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item))
  return query.toString()
}
