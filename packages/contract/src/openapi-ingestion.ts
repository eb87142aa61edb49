import type { ErrorCode } from './errors.ts'
import { outcomes } from './openapi-responses.ts'
import type { Json } from './openapi-schemas.ts'
import { uuidPattern } from './uuid.ts'

/** The webhook for alerts. Not an operation of the contract: Alertmanager defines the body, which may grow. */
export const ingestionPath = '/v1/zwatch/third-party/platforms/{uuid}/alerts'

const since = 'wharf-1.0.0'
const field = (schema: Json): Json => ({ ...schema, 'x-since': since })
const text = (more: Json = {}): Json => field({ type: 'string', ...more })
const texts = (description: string): Json =>
  field({ type: 'object', additionalProperties: { type: 'string' }, description })
const time = (description: string, example: string): Json =>
  text({ format: 'date-time', description, examples: [example] })

const alert: Json = {
  type: 'object',
  required: ['status', 'labels', 'startsAt', 'fingerprint'],
  properties: {
    status: text({ enum: ['firing', 'resolved'], description: 'firing until the alert has ended' }),
    labels: texts('alertname is the name, severity the severity'),
    annotations: texts('Such as summary and description'),
    startsAt: time('Identifies an alert together with fingerprint and status', '2026-11-05T01:02:03Z'),
    endsAt: time('Year 1 when unknown', '0001-01-01T00:00:00Z'),
    generatorURL: text({ description: 'The source of the alert' }),
    fingerprint: text({
      pattern: '^[!-~]+$',
      minLength: 1,
      maxLength: 255,
      description: 'Identifies the alert',
      examples: ['0123456789abcdef'],
    }),
  },
}

const body: Json = {
  type: 'object',
  required: ['version', 'alerts'],
  description: 'The webhook body of Alertmanager; other fields are ignored',
  properties: {
    version: text({ const: '4', description: 'The version of the format' }),
    alerts: field({ type: 'array', items: alert, description: 'The alerts that have changed' }),
  },
}

const answer: Json = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: field({ type: 'boolean', const: true, description: 'The alerts are stored' }),
    error: field({ type: 'null', description: 'Null: the call succeeded' }),
  },
}

const errors: readonly ErrorCode[] = ['SYS.1000', 'SYS.1003', 'SYS.1007', 'SYS.1010', 'ID.1000', 'ID.1001', 'ID.1003']

export const ingestion: Json = {
  operationId: 'sendAlerts',
  summary: 'Send alerts in the format of Alertmanager',
  description:
    'An alert is stored once for each fingerprint, start and status. A disabled platform accepts and drops alerts.',
  tags: ['alerts'],
  security: [{ platformToken: [] }],
  parameters: [
    {
      name: 'uuid',
      in: 'path',
      required: true,
      description: 'The alert platform',
      schema: { type: 'string', pattern: uuidPattern },
      'x-since': since,
    },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: outcomes(answer, false, errors),
  'x-since': since,
  'x-permission': 'the token of the platform',
  'x-errors': errors,
}

export const platformToken: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token of an alert platform, which `resetToken` returns once.',
}
