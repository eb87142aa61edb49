import type { TProperties } from 'typebox'
import { field, type Json, objectOf, reference, requiredNames } from './openapi-schemas.ts'
import { type Operation, pathParameters } from './operation.ts'
import { optional } from './schema.ts'
import { Type } from './type.ts'
import { uuidPattern } from './uuid.ts'

const ignored = 'Accepted and ignored'

/** Every operation takes tags, so none declares them. Only a create stores them. */
export function tagFields({ method, configTag }: Operation): TProperties {
  const isCreate = method === 'POST'
  const carries = configTag && `${configTag}::{json} may carry the fields, required ones too, and the body wins`
  const others = isCreate
    ? 'Stored on the new resource, each at most 4096 characters; one or two edits from a known pattern:: is refused'
    : ignored
  return {
    systemTags: optional(
      Type.Array(Type.String(), { description: carries ? `${carries}; others: ${others.toLowerCase()}` : others }),
    ),
    userTags: optional(
      Type.Array(Type.String(), { description: isCreate ? 'Free text, stored on the new resource' : ignored }),
    ),
  }
}

function parameter(operation: Operation, place: 'path' | 'query', name: string, schema: object, required: boolean) {
  const { description, 'x-since': since, ...shape } = field(name, schema, operation.since, 'request', required)
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: shape,
    'x-since': since,
  }
}

const inQuery = (operation: Operation): Json[] => {
  const fields = { ...operation.fields, ...tagFields(operation) }
  const required = new Set(requiredNames(fields))
  return Object.entries(fields).map(([name, schema]) => parameter(operation, 'query', name, schema, required.has(name)))
}

function headers({ name, method, mode, repeatable }: Operation): string[] {
  if (name === 'GetEvents' || name === 'GetApiJobLog') return ['LastEventId']
  if (method === 'GET' || repeatable === false) return []
  return [...(mode === 'job' ? ['Prefer', 'ApiTimeout'] : []), 'IdempotencyKey', 'JobUuid']
}

export const parameters = (operation: Operation): Json[] => [
  ...pathParameters(operation.path).map((name) =>
    parameter(operation, 'path', name, { type: 'string', pattern: uuidPattern }, true),
  ),
  ...(operation.method === 'GET' ? inQuery(operation) : []),
  ...headers(operation).map((name) => reference('parameters', name)),
]

/** The body of POST and PUT. The structure may be absent when all its fields are optional, unless it is needed always. */
export function structured(operation: Operation, needed: 'always' | 'for its fields' = 'for its fields'): Json {
  const { structure } = operation
  if (structure === undefined) throw new Error(`${operation.name} has a body without a named structure`)
  const body = objectOf(tagFields(operation), operation.since, 'request')
  const { summary: description, since } = operation
  const fields = { ...objectOf(operation.fields, since, 'request'), description, 'x-since': since }
  const isRequired = needed === 'always' || requiredNames(operation.fields).length > 0
  return {
    type: 'object',
    ...(isRequired ? { required: [structure] } : {}),
    properties: { [structure]: fields, ...(body.properties as Json) },
    additionalProperties: false,
  }
}

/** POST and PUT wrap their fields; DELETE has them beside the tags and would take them from the query too. */
export function requestBody(operation: Operation): Json | undefined {
  const { structure, method, fields } = operation
  if (method === 'GET') return undefined
  const schema =
    structure === undefined
      ? objectOf({ ...fields, ...tagFields(operation) }, operation.since, 'request')
      : structured(operation)
  return { required: requiredNames(fields).length > 0, content: { 'application/json': { schema } } }
}

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  'x-since': 'wharf-1.0.0',
})

/** The longest that X-API-Timeout may allow a job: a week. */
export const maxTimeoutSeconds = 7 * 86_400

export const sharedParameters: Json = {
  ApiTimeout: header('X-API-Timeout', 'The deadline of the job in seconds', {
    type: 'integer',
    minimum: 1,
    maximum: maxTimeoutSeconds,
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'A repeated call with the same key has no further effect and returns the same answer',
    {
      type: 'string',
      minLength: 1,
    },
  ),
  JobUuid: header(
    'X-Job-UUID',
    'An idempotency key for clients that poll: the answer may be 202 after five seconds, and the job contains failures',
    { type: 'string', pattern: '^[0-9A-Fa-f-]{32,64}$' },
  ),
  LastEventId: header('Last-Event-ID', 'Resume after this event', { type: 'string' }),
  Prefer: header('Prefer', 'respond-async returns 202 at once, wait=N after N seconds', { type: 'string' }),
}
