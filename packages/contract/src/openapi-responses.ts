import type { TProperties } from 'typebox'
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { groupBy } from './group-by.ts'
import { type Json, objectOf, reference, requiredNames } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'
import { errorsOf } from './operations.ts'

/** Failures exist since the first version of the interface. */
const first = '0.6'
const ours = 'wharf-1.0.0'

const noError = 'Null: the call succeeded'
const json = (schema: Json): Json => ({ 'application/json': { schema } })
const text = (description: string): Json => ({ schema: { type: 'string', description } })

const success = (value: boolean, since: string): Json => ({
  type: 'boolean',
  const: value,
  description: value ? 'The call succeeded' : 'The call failed',
  'x-since': since,
})

function envelope(answer: TProperties, since: string): Json {
  const { properties } = objectOf(answer, since, 'answer')
  return {
    type: 'object',
    required: ['success', 'error', ...requiredNames(answer)],
    properties: {
      success: success(true, since),
      error: { type: 'null', description: noError, 'x-since': since },
      ...(properties as Json),
    },
  }
}

const failure = reference('responses', 'Failure')
const accepted = reference('responses', 'Accepted')

/** Operations that write their own answer, each in its own form. */
const streams: Record<string, (operation: Operation) => Json> = {
  ExportAuditEntries: () => ({
    200: {
      description: 'The entries, in the form of `format`',
      content: {
        'application/x-ndjson': text('One JSON object per line: an entry, or with ocsf an event'),
        'text/csv': text('A line with the names of the fields, then one line per entry'),
      },
    },
  }),
  GetApiJob: ({ answer, since }) => ({
    200: { description: "The answer of the job's operation, exactly", content: json({ type: 'object' }) },
    202: {
      description: 'The job is running; Retry-After is present when its state is currently unknown',
      content: json(envelope(answer === 'empty' ? {} : answer, since)),
    },
    503: { ...failureResponse('The job failed; this path returns 503 for no other reason'), headers: jobFailed },
  }),
  GetApiJobLog: () => ({
    200: {
      description: 'The log up to now, or with follow each line as it is written',
      content: { 'text/plain': text('One line per entry'), 'text/event-stream': text('One event per entry') },
    },
  }),
  GetEvents: () => ({
    200: {
      description: 'A stream of changes',
      content: { 'text/event-stream': text('The data of each event is JSON: type, resourceType, uuid, at') },
    },
  }),
}

export function responses(operation: Operation): Json {
  if (operation.mode === 'stream') {
    const own = streams[operation.name]
    if (own === undefined) throw new Error(`${operation.name} is a stream that openapi-responses.ts does not describe`)
    return { ...own(operation), ...rejections(errorsOf(operation)), default: failure }
  }
  return outcomes(answerOf(operation), isAccepted(operation), errorsOf(operation))
}

export const answerOf = ({ answer, since }: Operation): Json =>
  answer === 'empty' ? { type: 'object', properties: {} } : envelope(answer, since)

/** With X-Job-UUID, every operation that changes something may return 202: for a running job, or for any failure. */
export const isAccepted = ({ method, repeatable }: Operation): boolean => method !== 'GET' && repeatable !== false

/** A response for each status from 400 to 499 that the codes have. */
export function rejections(codes: readonly ErrorCode[]): Json {
  const byStatus = groupBy([...new Set(codes)], (code) => errorCatalogue[code].status)
  const rejected = [...byStatus].filter(([status]) => status >= 400 && status < 500)
  return Object.fromEntries(
    rejected.map(([status, same]) => [
      status,
      failureResponse(same.map((code) => `${code}: ${errorCatalogue[code].description}`).join('; ')),
    ]),
  )
}

export const outcomes = (answer: Json, mayBeAccepted: boolean, codes: readonly ErrorCode[]): Json => ({
  200: { description: 'Done', content: json(answer) },
  ...(mayBeAccepted ? { 202: accepted } : {}),
  ...rejections(codes),
  default: failure,
})

export const failureResponse = (description: string): Json => ({
  description,
  content: json(reference('schemas', 'Failure')),
})

const jobFailed = { 'X-Job-Success': { schema: { const: 'false' }, 'x-since': ours } }

export const sharedResponses: Json = {
  Accepted: {
    description: 'The operation continues as a job, or a call with X-Job-UUID failed: the location returns the result',
    headers: { Location: { schema: { type: 'string', format: 'uri' }, 'x-since': ours } },
    content: json(reference('schemas', 'Accepted')),
  },
  Failure: failureResponse('The call failed; each code has one status, listed in x-error-catalogue'),
}

const nothing = { type: 'null', 'x-since': first }

export const sharedSchemas: Json = {
  Accepted: {
    type: 'object',
    required: ['success', 'error', 'location'],
    properties: {
      success: success(true, ours),
      error: { type: 'null', description: noError, 'x-since': ours },
      location: {
        type: 'string',
        format: 'uri',
        description: 'The job, with a token that grants access to it alone',
        'x-since': ours,
      },
    },
  },
  ErrorCode: {
    type: 'object',
    required: ['code', 'description', 'details', 'elaboration', 'opaque', 'cause'],
    properties: {
      code: {
        type: 'string',
        pattern: '^[A-Za-z]+\\.[0-9]+$',
        description: 'A code of the catalogue, which may grow',
        examples: ['SYS.1001'],
        'x-since': first,
      },
      description: { type: 'string', description: 'The meaning of the code', 'x-since': first },
      details: { type: 'string', description: 'What happened, with the request id at the end', 'x-since': first },
      elaboration: { ...nothing, description: 'Reserved' },
      opaque: {
        type: ['object', 'null'],
        description:
          'With ID.1007: `secondFactor`, what the user can prove (`factors`), the options for a passkey, and the secret to enrol; otherwise null',
        'x-since': ours,
      },
      cause: {
        anyOf: [reference('schemas', 'ErrorCode'), { type: 'null' }],
        description: 'The underlying failure',
        'x-since': first,
      },
    },
  },
  Failure: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: success(false, first),
      error: { ...reference('schemas', 'ErrorCode'), description: 'What failed, and why', 'x-since': first },
    },
  },
}
