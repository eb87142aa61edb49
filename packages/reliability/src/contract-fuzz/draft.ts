import type { ErrorCode, Operation } from '@wharf/contract'

export type Fields = Record<string, unknown>
export type Caller = 'admin' | 'reader' | 'nobody'

/** A call under construction: first valid, then possibly with one rule broken. */
export interface Draft {
  readonly operation: Operation
  /** The value of `{uuid}` in the path, escaped. */
  uuid: string | undefined
  fields: Fields
  /** Additional parts of the body besides the structure, or of the query besides the fields. */
  extraFields: Fields
  /** Where the fields are sent: DELETE accepts body and query, some operations a tag. */
  carrier: 'body' | 'query' | 'tag'
  headers: Record<string, string>
  as: Caller
  /** In place of what follows from the fields. */
  structure?: unknown
  body?: string | Buffer
  query?: string
  /** Failures that are allowed although the call is valid. */
  allowedErrors: readonly ErrorCode[]
}

/** A call as it is sent. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly as: Caller
}

export const jsonType = 'application/json;charset=UTF-8'

export function sentOf(draft: Draft): Sent {
  const { operation, headers, as } = draft
  const path = operation.path.replace('{uuid}', draft.uuid ?? '')
  const query = draft.query ?? queryOf(draft)
  const text = draft.body ?? bodyOf(draft)
  const body = text === undefined ? undefined : Buffer.from(text as string)
  return {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: { ...(body === undefined ? {} : { 'content-type': jsonType }), ...headers },
    body,
    as,
  }
}

function queryOf({ operation, fields, extraFields, carrier }: Draft): string {
  if (operation.method !== 'GET' && carrier !== 'query') return ''
  const pairs = Object.entries({ ...fields, ...extraFields }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one): [string, string] => [
      name,
      String(one),
    ]),
  )
  return new URLSearchParams(pairs).toString()
}

function bodyOf({ operation, fields, extraFields, carrier, structure }: Draft): string | undefined {
  const { method, structure: name = '', configTag } = operation
  if (method === 'GET' || carrier === 'query') return undefined
  if (method === 'DELETE')
    return Object.keys({ ...fields, ...extraFields }).length === 0
      ? undefined
      : JSON.stringify({ ...fields, ...extraFields })
  if (carrier === 'tag')
    return JSON.stringify({ [name]: {}, ...extraFields, systemTags: [`${configTag}::${JSON.stringify(fields)}`] })
  return JSON.stringify({ [name]: structure === undefined ? fields : structure, ...extraFields })
}
