import { roles } from './accounts.ts'
import type { Json } from './openapi-schemas.ts'

/** The device grant of RFC 8628. Not operations of the contract: the RFC defines forms and answers. */
export const deviceAuthorizationPath = '/v1/oauth/device-authorization'
export const deviceTokenPath = '/v1/oauth/token'

/** The only client; it is public, so the id proves nothing. */
export const deviceClientId = 'wharf'
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

const since = 'wharf-1.1.0'
const text = (description: string, more: Json = {}): Json => ({
  type: 'string',
  description,
  ...more,
  'x-since': since,
})
const seconds = (description: string): Json => ({ type: 'integer', description, 'x-since': since })

const object = (properties: Record<string, Json>, required: readonly string[]): Json => ({
  type: 'object',
  properties,
  required,
})

const failure = object(
  {
    error: text('The code of RFC 6749 or RFC 8628'),
    error_description: text('What is wrong, and the remedy'),
  },
  ['error', 'error_description'],
)

const json = (description: string, schema: Json): Json => ({ description, content: { 'application/json': { schema } } })

const request = (given: {
  id: string
  summary: string
  description: string
  form: Json
  answer: Json
  failed: string
}) => ({
  operationId: given.id,
  summary: given.summary,
  description: given.description,
  tags: ['identity'],
  security: [],
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: given.form } } },
  responses: {
    200: json('The answer of the RFC', given.answer),
    400: json(given.failed, failure),
    429: json('temporarily_unavailable: too many sign-ins wait', failure),
    default: { $ref: '#/components/responses/Failure' },
  },
  'x-since': since,
  'x-permission': 'public',
  'x-errors': ['SYS.1000', 'SYS.1007', 'SYS.1010'],
})

const clientId = text('The id of the client', { const: deviceClientId })

export const deviceAuthorization: Json = request({
  id: 'requestDeviceAuthorization',
  summary: 'Start the sign-in of a device without a browser (RFC 8628)',
  description: 'Returns a code that the device shows and that a signed-in user confirms in the console.',
  form: object(
    {
      client_id: clientId,
      scope: text('The role that the device suggests; the user decides', { enum: roles }),
      client_name: text('The host name of the device, for the user', { maxLength: 255 }),
    },
    ['client_id'],
  ),
  answer: object(
    {
      device_code: text('With which only this device gets the key'),
      user_code: text('The code to show'),
      verification_uri: text('Where the user enters the code'),
      verification_uri_complete: text('The same with the code'),
      expires_in: seconds('How long both codes are valid'),
      interval: seconds('How long to wait between two requests for the key'),
    },
    ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'],
  ),
  failed: 'invalid_request, invalid_client or invalid_scope',
})

export const deviceToken: Json = request({
  id: 'requestDeviceToken',
  summary: 'Get the access key of a confirmed device sign-in, once (RFC 8628)',
  description:
    'A device code that is presented again after the key was returned deletes that key: it was lost on the way, or stolen.',
  form: object(
    {
      grant_type: text('The grant', { const: deviceGrantType }),
      device_code: text('The code of the device'),
      client_id: clientId,
    },
    ['grant_type', 'device_code', 'client_id'],
  ),
  answer: object(
    {
      access_token: text('The secret of the access key'),
      token_type: text('Calls are signed with the key', { const: 'urn:wharf:access-key' }),
      expires_in: seconds('How long the key is valid'),
      scope: text('The role of the key', { enum: roles }),
      access_key_id: text('The id of the access key'),
      access_key_uuid: text('The uuid of its record'),
      account_uuid: text('The account of the user who confirmed'),
      user_uuid: text('The user who confirmed'),
    },
    ['access_token', 'token_type', 'expires_in', 'scope', 'access_key_id'],
  ),
  failed:
    'authorization_pending, slow_down, access_denied, expired_token, invalid_grant, invalid_request, invalid_client or unsupported_grant_type',
})
