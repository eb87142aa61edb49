import type { ErrorCode } from './errors.ts'
import { outcomes } from './openapi-responses.ts'
import type { Json } from './openapi-schemas.ts'

const since = 'wharf-1.1.0'
const errors: readonly ErrorCode[] = ['SYS.1000', 'SYS.1003', 'SYS.1007', 'SYS.1010', 'SYS.1015']

const provider: Json = {
  name: 'provider',
  in: 'path',
  required: true,
  description: 'The id of the identity provider',
  schema: { type: 'string' },
  'x-since': since,
}

/** Where a provider sends the browser back to. */
export const oidcCallback: Json = {
  operationId: 'receiveOidcResponse',
  summary: 'The redirect address of an identity provider; redirects to the console, which calls LogInByOidc',
  tags: ['identity'],
  security: [],
  parameters: [provider],
  responses: { 302: { description: 'The console, with the response of the provider after #' } },
  'x-since': since,
  'x-permission': 'public',
  'x-errors': [],
}

/** Where a provider reports that a user has signed out. */
export const oidcLogout: Json = {
  operationId: 'receiveOidcLogout',
  summary: 'The back-channel logout address of an identity provider: ends the sessions that its logout token names',
  tags: ['identity'],
  security: [],
  parameters: [provider],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['logout_token'],
          properties: {
            logout_token: {
              type: 'string',
              description: 'By OpenID Connect Back-Channel Logout 1.0, signed by the provider; accepted once',
              'x-since': since,
            },
          },
        },
      },
    },
  },
  responses: { ...outcomes({ type: 'object' }, false, errors), 200: { description: 'The sessions have ended' } },
  'x-since': since,
  'x-permission': 'the signature of the provider',
  'x-errors': errors,
}
