import { type Operation, pathParameters } from '@wharf/contract'
import type { CallableOperation } from '@wharf/sdk'

/** An operation and its input. */
export interface ApiCall {
  readonly operation: CallableOperation
  readonly input: Readonly<Record<string, unknown>>
}

/** A word of a POSIX shell with exactly this value. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** `privateKey` → `PRIVATE_KEY` */
const variableOf = (field: string): string => field.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

const isSecret = ({ fields }: Operation, name: string): boolean =>
  (fields[name] as { writeOnly?: boolean } | undefined)?.writeOnly === true

/** The fields that are sent: an empty list and an absent value are not. */
const sentFields = (input: ApiCall['input']): [string, unknown][] =>
  Object.entries(input).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `wharf call` with the fields; a secret is a variable of the shell. */
export function wharfCommand({ operation, input }: ApiCall): string {
  const words = sentFields(input).flatMap(([name, value]) => {
    if (isSecret(operation, name)) return [`${name}="$${variableOf(name)}"`]
    return (Array.isArray(value) ? value : [value]).map((one) => shellWord(`${name}=${textOf(one)}`))
  })
  return ['wharf call', operation.client, ...words].join(' ')
}

const session = '"Authorization: OAuth $WHARF_SESSION"'

/** The request as curl sends it; the session and secrets are variables of the shell. */
export function curlCommand({ operation, input }: ApiCall, serverUrl: string): string {
  const { method, path, structure } = operation
  const inPath = new Set(pathParameters(path))
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(input[name] ?? '')))
  const fields = sentFields(input).filter(([name]) => !inPath.has(name))
  const url = serverUrl.replace(/\/$/, '') + target
  const start = `curl -sS -H ${session}`
  if (method === 'GET') {
    const query = new URLSearchParams(
      fields.flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, textOf(one)])),
    ).toString()
    return `${start} ${shellWord(query === '' ? url : `${url}?${query}`)}`
  }
  // the mark is replaced by the variable after the text is quoted
  const marked = Object.fromEntries(
    fields.map(([name, value]) => [name, isSecret(operation, name) ? `\u0000${variableOf(name)}\u0000` : value]),
  )
  const body = JSON.stringify(structure === undefined ? marked : { [structure]: marked })
  const data = shellWord(body).replaceAll(/\\u0000(\w+)\\u0000/g, `'"$$$1"'`)
  return `${start} -X ${method} -H 'Content-Type: application/json' -d ${data} ${shellWord(url)}`
}
