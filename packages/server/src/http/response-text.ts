import type { IncomingHttpHeaders } from 'node:http'
import { jsonSchemaType, type Operation } from '@wharf/contract'
import { responseMapper } from './response-fields.ts'

type Schema = Record<string, unknown>
type Types = Record<string, string>
/** Adds the typed records of a value, which is at this path. */
type Collect = (value: unknown, path: string, types: Types) => void

export interface AnswerSettings {
  /** Whether a client may request the types of the records in a response. */
  readonly jsonSchema?: boolean
}

/** Serializes the responses of an operation. With `X-JSON-Schema: true` they include the type of each record. */
export function responseWriter(
  operation: Operation,
  formatTimestamp: (ms: number) => string,
  { jsonSchema = false }: AnswerSettings,
): (headers: IncomingHttpHeaders, answer: object) => string {
  const map = responseMapper(operation, formatTimestamp)
  if (!jsonSchema || operation.answer === 'empty') return (_, answer) => JSON.stringify(map(answer))
  const collect = collectorOf({ properties: operation.answer })
  return (headers, answer) => {
    const body = map(answer)
    if (String(headers['x-json-schema']).toLowerCase() !== 'true') return JSON.stringify(body)
    const schema: Types = {}
    collect?.(body, '', schema)
    return JSON.stringify({ ...body, schema })
  }
}

/** Undefined without typed records. */
function collectorOf(schema: Schema): Collect | undefined {
  const alternatives = schema.anyOf as Schema[] | undefined
  if (alternatives) return collectorOf(alternatives.find((one) => one.type !== 'null') ?? {})
  const inner = innerCollector(schema)
  if (typeof schema.title !== 'string') return inner
  const type = jsonSchemaType(schema.title)
  return (value, path, types) => {
    if (typeof value !== 'object' || value === null) return
    types[path] = type
    inner?.(value, path, types)
  }
}

function innerCollector(schema: Schema): Collect | undefined {
  if (schema.type === 'array') {
    const item = collectorOf(schema.items as Schema)
    return (
      item &&
      ((list, path, types) => {
        for (const [at, one] of asList(list).entries()) item(one, `${path}[${at}]`, types)
      })
    )
  }
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties as Record<string, Schema>).flatMap(([name, field]) => {
      const collect = collectorOf(field)
      return collect === undefined ? [] : [{ name, collect }]
    })
    if (fields.length === 0) return undefined
    return (value, path, types) => {
      for (const { name, collect } of fields) collect((value as Schema | null)?.[name], under(path, name), types)
    }
  }
  const named = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>)[0]
  const values = named ?? schema.additionalProperties
  const each = typeof values === 'object' && values !== null ? collectorOf(values as Schema) : undefined
  return (
    each &&
    ((map, path, types) => {
      for (const [name, value] of Object.entries((map ?? {}) as Schema)) each(value, under(path, name), types)
    })
  )
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
