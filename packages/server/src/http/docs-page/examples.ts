import { type Call, jsonSchema, type OpenApi, type Parameter, resolved, type Schema } from './document.ts'
import { isTimestamp, isUuid } from './field-table.ts'

/** Typical values; a field without one shows its type. */
const likely: Record<string, string | number> = {
  accountName: 'admin',
  address: '10.0.0.11',
  apiPort: 8056,
  clusterNetworkCidr: '10.0.1.0/24',
  description: 'in rack 4',
  directoryPath: '/data',
  installPath: '/data/packages/storage.tar.gz',
  managementIp: '10.0.0.11',
  managementNetworkCidr: '10.0.0.0/24',
  name: 'storage',
  password: '…',
  publicNetworkCidr: '10.0.0.0/24',
  sshPort: 22,
  type: 'storage',
  url: 'https://packages.example.com/storage.tar.gz',
  userId: '13800000000',
  userName: 'anna',
  username: 'admin',
}

const uuid = '36c27e8ff05c4780bf6d2fa65700f22e'
const deepest = 6

export function exampleOf(document: OpenApi, name: string, given: Schema, depth = 0): unknown {
  const schema = resolved<Schema>(document, given as { $ref: string })
  if (schema.const !== undefined) return schema.const
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  const inner = (key: string, value: Schema): unknown => exampleOf(document, key, value, depth + 1)
  if (depth > deepest || type === 'null') return null
  if (schema.anyOf !== undefined) {
    const [first = {}] = schema.anyOf
    // causes nest
    return schema.anyOf.some((choice) => choice.type === 'null') ? null : exampleOf(document, name, first, depth)
  }
  if (type === 'array') return [inner(name.replace(/s$/, ''), schema.items ?? {})]
  if (type === 'object') {
    if (typeof schema.additionalProperties === 'object') return { key: inner(name, schema.additionalProperties) }
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, inner(key, value)]))
  }
  if (type === 'boolean') return true
  if (isUuid(schema)) return uuid
  if (isTimestamp(schema)) return 'Nov 5, 2026 1:02:03 AM'
  if (likely[name] !== undefined && (typeof likely[name] === 'number') === (type !== 'string')) return likely[name]
  return type === 'string' ? '…' : (schema.minimum ?? 0)
}

/** The required fields; without any, the first two. */
export function bodyExample(document: OpenApi, schema: Schema): unknown {
  const needed = ({ properties = {}, required = [] }: Schema): [string, Schema][] => {
    const fields = Object.entries(properties).filter(([name]) => name !== 'systemTags' && name !== 'userTags')
    return required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 2)
  }
  return Object.fromEntries(
    needed(schema).map(([name, field]) => [
      name,
      field.properties === undefined
        ? exampleOf(document, name, field)
        : Object.fromEntries(needed(field).map(([key, value]) => [key, exampleOf(document, key, value)])),
    ]),
  )
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The header with the credential; a URL with a signature needs none. */
function credentialOf(call: Call): string[] {
  const has = (name: string): boolean => call.security?.some((scheme) => name in scheme) ?? false
  if (call['x-permission'] === 'public' || has('uploadSignature')) return []
  return [`-H "Authorization: ${has('platformToken') ? 'Bearer $TOKEN' : 'OAuth $SESSION'}"`]
}

const slice = 'application/offset+octet-stream'

/** The call as a command. $WHARF_URL and $SESSION are explained at the top of the page. */
export function curlExample(document: OpenApi, call: Call): string {
  const parameters = (call.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter))
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const pairs = query.map(({ name, schema }) => `${name}=${exampleOf(document, name, schema)}`)
  if (parameters.some(({ name }) => name === 'q')) pairs.push('q=name~=sto%', 'limit=20')
  const body = jsonSchema(call.requestBody?.content)
  const sends = body !== undefined && call.method !== 'DELETE'
  const streams = Object.values(call.responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'],
  )
  const isUpload = call.security?.some((scheme) => 'uploadSignature' in scheme)
  const url = isUpload ? '$UPLOAD_URL' : `$WHARF_URL${call.path.replaceAll(/\{\w+\}/g, uuid)}`
  const verbs: Record<string, string> = { GET: pairs.length > 0 ? ' -G' : '', HEAD: ' -I' }
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  return [
    `curl${streams ? ' -N' : ''}${verbs[call.method] ?? ` -X ${call.method}`} "${url}"`,
    ...credentialOf(call),
    ...headers.map(({ name, schema }) => `-H '${name}: ${exampleOf(document, name, schema)}'`),
    ...(call.requestBody?.content[slice] ? [`-H 'Content-Type: ${slice}'`, '--data-binary @slice'] : []),
    ...pairs.map((pair) => `--data-urlencode ${quoted(pair)}`),
    ...(sends ? [`-H 'Content-Type: application/json'`, `-d ${quoted(json(bodyExample(document, body)))}`] : []),
  ].join(' \\\n  ')
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2)
