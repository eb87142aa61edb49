import { inventory, operation } from './operation.ts'
import { List, Name, optional, Text, Verbatim } from './schema.ts'
import { SessionInventory } from './sessions.ts'

const since = 'wharf-1.1.0'
const resource = 'identity'

/** Where a provider sends the browser back to. Not an operation of the contract: it answers with a redirect. */
export const oidcCallbackPath = '/v1/oidc/callback/{provider}'

/** Where a provider reports that a user has signed out. Not an operation of the contract: OpenID Connect defines its body. */
export const oidcLogoutPath = '/v1/oidc/logout/{provider}'

export const OidcProviderInventory = inventory({
  name: 'OidcProviderInventory',
  since,
  events: [],
  fields: {
    id: Name({ description: 'Identifies the provider in `startOidcSignIn` and in its addresses' }),
    label: Name({ description: 'The text of its button' }),
  },
})

export const listOidcProviders = operation({
  name: 'ListOidcProviders',
  client: 'oidc.providers',
  resource,
  method: 'GET',
  path: '/v1/oidc/providers',
  summary: 'List the identity providers that users can sign in with',
  since,
  permission: 'public',
  fields: {},
  answer: { inventories: List(OidcProviderInventory.schema, { description: 'In the order of WHARF_OIDC_FILE' }) },
})

export const startOidcSignIn = operation({
  name: 'StartOidcSignIn',
  client: 'oidc.start',
  resource,
  method: 'PUT',
  path: '/v1/oidc/sign-in',
  structure: 'startOidcSignIn',
  summary: 'Start a sign-in with an identity provider; the answer sets a cookie that binds it to this browser',
  since,
  permission: 'public',
  repeatable: false,
  fields: {
    provider: Name({ description: 'The id of the provider' }),
    address: optional(
      Text(1024, {
        description:
          'The address of this API as the browser reaches it, such as https://example.com/wharf, where a proxy hides it from the server; the provider sends the browser back there',
      }),
    ),
  },
  answer: { url: Text(8192, { description: 'The address of the provider to open; valid for ten minutes' }) },
  errors: ['SYS.1003', 'SYS.1015'],
})

export const logInByOidc = operation({
  name: 'LogInByOidc',
  client: 'oidc.logIn',
  resource,
  method: 'PUT',
  path: '/v1/oidc/login',
  structure: 'logInByOidc',
  summary: 'Start a session with the response of an identity provider, in the browser that started the sign-in',
  since,
  permission: 'public',
  repeatable: false,
  fields: {
    provider: Name({ description: 'The provider whose callback address the browser was sent back to' }),
    response: Verbatim(8192, {
      minLength: 1,
      description: 'The query with which the provider sent the browser back, such as `code=…&state=…`',
    }),
  },
  answer: { inventory: SessionInventory.schema },
  errors: ['SYS.1015'],
})
