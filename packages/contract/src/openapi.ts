import manifest from '../package.json' with { type: 'json' }
import { errorCatalogue } from './errors.ts'
import { groupBy } from './group-by.ts'
import { oidcCallbackPath, oidcLogoutPath } from './oidc.ts'
import { type Actions, describedActions } from './openapi-actions.ts'
import { deviceAuthorization, deviceAuthorizationPath, deviceToken, deviceTokenPath } from './openapi-device-grant.ts'
import { ingestion, ingestionPath, platformToken } from './openapi-ingestion.ts'
import { oidcCallback, oidcLogout } from './openapi-oidc.ts'
import { described } from './openapi-operations.ts'
import { sharedParameters } from './openapi-requests.ts'
import { sharedResponses, sharedSchemas } from './openapi-responses.ts'
import { inventorySchemas, type Json } from './openapi-schemas.ts'
import { uploadPath, uploadRequests, uploadSignature } from './openapi-uploads.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { resourceDescriptions } from './resources.ts'

const description = `The management plane of a cloud platform.

Times have the form \`Nov 5, 2026 1:02:03 AM\`, in the zone \`x-time-zone\` of this document: UTC unless the operator sets WHARF_TIMEZONE; then the
header \`X-Time-Zone\` of every response names it. Every response has a header \`X-Request-Id\`. \`x-since\` is the version that introduced
an operation or field, \`x-permission\` who may call, \`x-errors\` the codes that an operation can fail with; an operation with
\`x-served: false\` is declared but not served by this version, a field with \`x-queried: false\` can be read, but
neither queried nor sorted by. In the query, lists repeat their name. An empty string in an optional field means absent;
an update clears a field by naming it in \`clear\`. A uuid may be written with dashes and capitals; it is stored and sent
as 32 lower-case hex digits. A request may repeat the uuid of its path in the structure or the query, as \`uuid\` or under
its long name (\`hostUuid\` for a host); another value is rejected. \`groupBy\`, \`filterName\` and the header \`X-Web-Hook\`
are rejected with SYS.1014. Settings for existing clients change three things: failures may omit \`success\`
(\`WHARF_ERROR_ALONE\`), the header \`X-JSON-Schema: true\` may add \`schema\`, the type of each record by its path
(\`WHARF_JSON_SCHEMA\`), and each POST, PUT and DELETE with \`X-Job-UUID\` may return 202 (\`WHARF_ALWAYS_202\`). Where several operations share method and path, \`x-operations\` describes each, and \`x-permission\` is the lowest that one of them requires.`

const securitySchemes: Json = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`OAuth <session id>`: the word OAuth, a space, and the uuid that login returned.',
  },
  accessKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: `\`Service <AccessKeyID>:<signature>\`. The signature is the Base64 of HMAC-SHA1, keyed with the secret of
the access key, over three lines joined by a newline: the method, the value of the \`Date\` header as it is sent
(\`Mon, 02 Nov 2026 01:02:03 GMT\`), and the path from \`/v1\` on without the query. Where \`Date\` cannot be set, as in
browsers, send and sign \`X-Date\` instead. The clock may differ by 15 minutes.`,
  },
  messageSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: `HTTP Message Signatures (RFC 9421) with an access key, in \`Signature-Input\` and \`Signature\`. They cover
\`@method\`, \`@path\`, \`@query\` and, with a body, \`content-digest\` (sha-256 or sha-512); the parameters are \`created\`,
\`keyid\`, \`alg\` (\`hmac-sha256\` with the secret, or \`ed25519\`) and \`nonce\`. The clock may differ by 300 seconds. A nonce is
accepted for one call that changes something.`,
  },
  platformToken,
  uploadSignature,
}

const tag = (name: string): Json => {
  const about = resourceDescriptions[name]
  if (about === undefined) throw new Error(`resources.ts does not describe the resource ${name}`)
  return { name, description: about }
}

const sorted = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The OpenAPI 3.1 document of the whole contract; `served` decides which operations this server implements. */
export function openapi(options: {
  served: (operation: Operation) => boolean
  serverUrl?: string
  timeZone?: string
}): object {
  const { served } = options
  const paths: Record<string, Json> = {}
  for (const sharing of groupBy(operations, ({ method, path }) => `${method} ${path}`).values()) {
    const [first, ...others] = sharing as [...Actions]
    const shown = others.length === 0 ? described(first, served(first)) : describedActions([first, ...others], served)
    paths[first.path] = { ...paths[first.path], [first.method.toLowerCase()]: shown }
  }
  paths[ingestionPath] = { ...paths[ingestionPath], post: ingestion }
  paths[uploadPath] = uploadRequests()
  paths[oidcCallbackPath] = { get: oidcCallback }
  paths[oidcLogoutPath] = { post: oidcLogout }
  paths[deviceAuthorizationPath] = { post: deviceAuthorization }
  paths[deviceTokenPath] = { post: deviceToken }
  const queried = new Set(operations.flatMap(({ queries }) => queries?.name ?? []))
  return {
    openapi: '3.1.0',
    info: { title: 'Wharf', version: manifest.version, description },
    servers: [{ url: options.serverUrl ?? '/wharf' }],
    security: [{ session: [] }, { accessKey: [] }, { messageSignature: [] }],
    tags: [...new Set(operations.map(({ resource }) => resource))].map(tag),
    paths,
    components: {
      schemas: sorted({ ...sharedSchemas, ...inventorySchemas(queried) }),
      responses: sharedResponses,
      parameters: sharedParameters,
      securitySchemes,
    },
    'x-time-zone': options.timeZone ?? 'UTC',
    'x-error-catalogue': errorCatalogue,
  }
}
