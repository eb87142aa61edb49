import { type ErrorCode, errorCatalogue, errorsOf, isOptional, type Operation } from '@wharf/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Received } from './sender.ts'

/** The expected result of a call: `valid` allows any failure except one that calls it invalid. */
export type Expected =
  | { readonly kind: 'valid'; readonly allowedErrors: readonly ErrorCode[] }
  | { readonly kind: 'refused'; readonly statuses: readonly number[]; readonly code: ErrorCode; readonly names: string }

const ajv = new Ajv2020({ strict: false, formats: { int64: true, uri: true } })
const nothing = { type: 'null' }

const objectFactory = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const errorShape = {
  ...objectFactory(
    {
      code: { enum: Object.keys(errorCatalogue) },
      description: { type: 'string', minLength: 1 },
      details: { type: 'string', minLength: 1 },
      elaboration: nothing,
      opaque: { type: ['object', 'null'] },
      cause: { anyOf: [nothing, { $ref: '#' }] },
    },
    ['code', 'description', 'details', 'elaboration', 'opaque', 'cause'],
  ),
  $id: 'error',
}
ajv.addSchema(errorShape)
const isFailure = ajv.compile(
  objectFactory({ success: { const: false }, error: { $ref: 'error' } }, ['success', 'error']),
)
const isAccepted = ajv.compile(
  objectFactory({ location: { type: 'string' }, success: { const: true }, error: nothing }, [
    'location',
    'success',
    'error',
  ]),
)

const answers = new Map<Operation, ValidateFunction>()

function answerOf(operation: Operation): ValidateFunction {
  const known = answers.get(operation)
  if (known) return known
  const { answer } = operation
  const fields = answer === 'empty' ? {} : { ...answer, success: { const: true }, error: nothing }
  const required = Object.keys(fields).filter((name) => !isOptional((fields as Record<string, object>)[name]))
  const compiled = ajv.compile(objectFactory(fields, required))
  answers.set(operation, compiled)
  return compiled
}

/** Internal details that must not reach a client. */
const internals = /node_modules|node:internal|\.ts:\d+|SQLITE_|\bat async |violates |duplicate key/

export interface CheckedAnswer {
  readonly operation: Operation
  readonly expected: Expected
  readonly received: Received
  /** The operation of the requested job. */
  readonly jobOperation: Operation | undefined
  /** The caller reads failures at a job, so that any call may be accepted as one. */
  readonly isPolling: boolean
}

/** What is wrong with this answer; undefined when nothing is. */
export function faultOf(checked: CheckedAnswer): string | undefined {
  const { operation, expected, received } = checked
  const { status, headers, text } = received
  if (!/^[0-9a-f]{32}$/.test(String(headers['x-request-id']))) return 'it has no request id'
  const type = String(headers['content-type'])
  if (
    operation.mode === 'stream' &&
    status === 200 &&
    /^(text\/(plain|event-stream|csv)|application\/x-ndjson)/.test(type)
  )
    return expected.kind === 'valid' ? undefined : 'what is invalid was accepted'
  if (type !== 'application/json;charset=UTF-8') return `its type is ${type}`
  const body = JSON.parse(text) as { error?: { code: ErrorCode; details: string } | null }
  const isFailedJob = operation.name === 'GetApiJob' && status === 503 && headers['x-job-success'] === 'false'
  if (status < 400) return successFault(checked, body)
  if (!isFailure(body)) return `it is not a failure of the catalogue: ${ajv.errorsText(isFailure.errors)}`
  if (internals.test(text)) return 'it exposes internals'
  if (isFailedJob) return expected.kind === 'valid' ? undefined : 'what is invalid was accepted'
  return failureFault(operation, expected, received, body.error as { code: ErrorCode; details: string })
}

function successFault(
  { operation, expected, received, jobOperation, isPolling }: CheckedAnswer,
  body: object,
): string | undefined {
  const { status } = received
  if (expected.kind === 'refused') return `what is invalid was accepted with ${status}`
  const isJob = operation.name === 'GetApiJob'
  const isRunning = status === 202
  if (status !== 200 && !(isRunning && (isJob || isPolling || operation.mode === 'job')))
    return `${status} is not declared`
  const fits =
    isRunning && !isJob
      ? isAccepted
      : isJob && !isRunning
        ? jobOperation && answerOf(jobOperation)
        : answerOf(operation)
  if (fits === undefined || fits(body)) return undefined
  return `it is not as declared: ${ajv.errorsText(fits.errors)}`
}

function failureFault(
  operation: Operation,
  expected: Expected,
  { status, headers }: Received,
  { code, details }: { code: ErrorCode; details: string },
): string | undefined {
  if (status === 500) return 'it is an internal error'
  if (!details.endsWith(`(request ${headers['x-request-id']})`)) return 'its details do not end in the request id'
  const isTransport = code === 'SYS.1007' && [413, 414, 415, 431].includes(status)
  if (!isTransport && errorCatalogue[code].status !== status) return `${code} does not go with ${status}`
  if (!errorsOf(operation).includes(code)) return `${operation.name} does not declare ${code}`
  if (expected.kind === 'valid') {
    const isBlamed = ['SYS.1007', 'SYS.1014', 'SYS.1010', 'ID.1000', 'ID.1001', 'ID.1002', 'ID.1003'].includes(code)
    return isBlamed && !expected.allowedErrors.includes(code) ? `what is valid was refused with ${code}` : undefined
  }
  if (!expected.statuses.includes(status) || code !== expected.code)
    return `it should be ${expected.statuses.join(' or ')} ${expected.code}`
  return details.includes(expected.names) ? undefined : `its details do not name ${expected.names}`
}
