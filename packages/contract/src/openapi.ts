import manifest from '../package.json' with { type: 'json' }
import { errorCatalogue } from './errors.ts'
import { groupBy } from './group-by.ts'
import { type Actions, describedActions } from './openapi-actions.ts'
import { ingestion, ingestionPath, platformToken } from './openapi-ingestion.ts'
import { described } from './openapi-operations.ts'
import { sharedParameters } from './openapi-requests.ts'
import { sharedResponses, sharedSchemas } from './openapi-responses.ts'
import { inventorySchemas, type Json } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'

/** What each group of the document is about; an operation of an unknown group stops the generation. */
const resources: Record<string, string> = {
  'backup-storage': 'Where packages and images are kept',
  'candidate-hosts': 'Hosts that announce themselves and could be added',
  alerts: 'Alerts of clusters, and their messages',
  'chat-endpoints': 'Chat groups that receive alerts, and the persons that they mention',
  'cluster-plugins': 'Storage clusters: add, form, watch, remove',
  elaborations: 'What an error means and what to do',
  events: 'Changes as they happen',
  hosts: 'The machines that packages are brought to',
  identity: 'Sessions, accounts, users and access keys',
  jobs: 'Long operations, followed and cancelled',
  'management-nodes': 'The processes that serve this API',
  migration: 'Images and virtual machines of the migration gateway',
  'software-packages': 'Upload, install, query',
  tags: 'Words that resources carry',
}

const description = `The management plane of a cloud platform.

Times read \`Nov 5, 2026 1:02:03 AM\`, in the zone \`x-time-zone\` of this document: UTC unless the operator sets WHARF_TIMEZONE; then the
header \`X-Time-Zone\` of every response names it. Every answer carries \`X-Request-Id\`. \`x-since\` is the version that something
appeared in, \`x-permission\` who may call, \`x-errors\` the codes that an operation can fail with; an operation with
\`x-served: false\` is declared and not served by this version, a field with \`x-queried: false\` is shown and can be
neither queried nor sorted by. In the query, lists repeat their name. An empty string in an optional field means absent;
an update empties a field by naming it in \`clear\`. A uuid may be written with dashes and capitals; it is stored and sent
as 32 lower-case hex digits. A request may repeat the uuid of its path in the structure or the query, as \`uuid\` or under
its long name (\`hostUuid\` for a host); another value is refused. \`groupBy\`, \`filterName\` and the header \`X-Web-Hook\`
are refused with SYS.1014. Settings for existing clients change three things: failures may omit \`success\`
(\`WHARF_ERROR_ALONE\`), the header \`X-JSON-Schema: true\` may add \`schema\`, the type of each record by its path
(\`WHARF_JSON_SCHEMA\`), and each POST, PUT and DELETE with \`X-Job-UUID\` may answer 202 (\`WHARF_ALWAYS_202\`). Where several operations share method and path, \`x-operations\` describes of each, and \`x-permission\` is the least that one of them needs.`

const securitySchemes: Json = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`OAuth <session id>`: the word OAuth, a blank, and the uuid that login answered.',
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
  platformToken,
}

const tag = (name: string): Json => {
  const about = resources[name]
  if (about === undefined) throw new Error(`openapi.ts has no description of ${name}`)
  return { name, description: about }
}

const sorted = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The OpenAPI 3.1 document of the whole contract; `served` selects the operations of this server. */
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
  const queried = new Set(operations.flatMap(({ queries }) => queries?.name ?? []))
  return {
    openapi: '3.1.0',
    info: { title: 'Wharf', version: manifest.version, description },
    servers: [{ url: options.serverUrl ?? '/wharf' }],
    security: [{ session: [] }, { accessKey: [] }],
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
