import { isOptional, type Operation, pathParameters } from '@wharf/contract'
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

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The fields that are sent. An empty field is omitted, or has its name as a placeholder if it is required. */
function sentFields({ operation: { path, fields }, input }: ApiCall): [string, unknown][] {
  const declared = Object.keys(fields).filter((name) => !isOptional(fields[name]))
  const required = new Set([...pathParameters(path), ...declared])
  const names = new Set([...required, ...Object.keys(input)])
  return [...names].flatMap((name): [string, unknown][] => {
    const value = input[name]
    if (!isEmpty(value)) return [[name, value]]
    return required.has(name) ? [[name, `<${name}>`]] : []
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const valuesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** The command reads a value of a list that starts with [ as the whole list in JSON. */
const commandValues = (value: unknown): readonly unknown[] =>
  Array.isArray(value) && value.some((one) => textOf(one).startsWith('[')) ? [JSON.stringify(value)] : valuesOf(value)

/** One `wharf call` per line, with the fields; a secret is a variable of the shell. */
export const wharfCommands = (calls: readonly ApiCall[]): string => calls.map(wharfCommand).join('\n')

function wharfCommand(call: ApiCall): string {
  const { operation } = call
  const words = sentFields(call).flatMap(([name, value]) => {
    if (isSecret(operation, name)) return [`${name}="$${variableOf(name)}"`]
    return commandValues(value).map((one) => shellWord(`${name}=${textOf(one)}`))
  })
  return ['wharf call', operation.client, ...words].join(' ')
}

const session = '"Authorization: OAuth $WHARF_SESSION"'

/** Escapes its argument for a JSON string with tools that every POSIX system has. */
const escapeFunction = String.raw`json() { printf '%s\n' "$1" | sed 's/[\\"]/\\&/g' | awk '{gsub(/\t/, "\\t"); printf "%s%s", s, $0; s = "\\n"}'; }`

/** Tags are beside the structure of the fields. */
const tagFields = ['systemTags', 'userTags']

/** The requests as curl sends them; the session and secrets are variables of the shell. */
export function curlCommands(calls: readonly ApiCall[], serverUrl: string): string {
  const hasSecrets = calls.some((call) => sentFields(call).some(([name]) => isSecret(call.operation, name)))
  const commands = calls.map((call) => curlCommand(call, serverUrl))
  return [...(hasSecrets ? [escapeFunction] : []), ...commands].join('\n')
}

function curlCommand(call: ApiCall, serverUrl: string): string {
  const { operation } = call
  const { method, path, structure } = operation
  const inPath = new Set(pathParameters(path))
  const sent = sentFields(call)
  const values = new Map(sent)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values.get(name))))
  const fields = sent.filter(([name]) => !inPath.has(name))
  const url = serverUrl.replace(/\/$/, '') + target
  const start = `curl -sS -H ${session}`
  if (method === 'GET') {
    const query = new URLSearchParams(
      fields.flatMap(([name, value]) => valuesOf(value).map((one) => [name, textOf(one)])),
    ).toString()
    return `${start} ${shellWord(query === '' ? url : `${url}?${query}`)}`
  }
  // the mark is replaced by the variable after the text is quoted
  const marked = Object.fromEntries(
    fields.map(([name, value]) => [name, isSecret(operation, name) ? `\u0000${variableOf(name)}\u0000` : value]),
  )
  const tags = Object.fromEntries(Object.entries(marked).filter(([name]) => tagFields.includes(name)))
  const others = Object.fromEntries(Object.entries(marked).filter(([name]) => !tagFields.includes(name)))
  const body = JSON.stringify(structure === undefined ? marked : { [structure]: others, ...tags })
  const data = shellWord(body).replaceAll(/\\u0000(\w+)\\u0000/g, `'"$(json "$$$1")"'`)
  return `${start} -X ${method} -H 'Content-Type: application/json' -d ${data} ${shellWord(url)}`
}
