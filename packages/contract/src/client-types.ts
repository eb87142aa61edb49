import type { TProperties } from 'typebox'
import { groupBy } from './group-by.ts'
import { tagFields } from './openapi-requests.ts'
import { descriptionOf, type Json } from './openapi-schemas.ts'
import { type Operation, pathParameters } from './operation.ts'
import { aliases, inventories, operations } from './operations.ts'
import { isOptional } from './type.ts'

/**
 * The groups and methods of the SDK, with their fields and records, as TypeScript: an editor shows the summaries and
 * descriptions of the contract, which an inferred type cannot have. Records are aliases, because a value of an interface
 * is not a `Record<string, unknown>`.
 */
export function clientTypes(): string {
  const called = [...operations, ...aliases].filter(({ client }) => client !== null)
  const groups = groupBy(called, ({ client }) => client?.split('.')[0] ?? '')
  return [
    '// Generated from the contract by `npm run generate`.',
    "import type { Timestamp } from '@wharf/contract'",
    "import type { JobCallOptions } from './call-types.ts'",
    "import type { AllParts, AllRecords, OneRecord } from './pages.ts'\n",
    ...inventories.map(({ name, schema }) => `export type ${name} = ${members(schema.properties, '', 'answer')}\n`),
    ...new Set(called.flatMap(interfacesOf)),
    ...[...groups].map(([group, methods]) => groupInterface(group, methods)),
    '/** The methods of the client, such as `wharf.hosts.add(…)`. */',
    'export interface Groups {',
    ...[...groups.keys()].toSorted().map((group) => `  readonly ${group}: ${groupName(group)}`),
    '}\n',
  ].join('\n')
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const groupName = (group: string): string => `${capitalized(group)}Methods`

/** Lists share their fields, and so do requests for one record. */
const fieldsName = ({ name, aliasOf, client, queries }: Operation): string => {
  if (queries !== undefined) return client?.endsWith('.query') ? 'QueryFields' : 'GetFields'
  return `${aliasOf ?? name}Fields`
}
const answerName = ({ name, aliasOf }: Operation): string => `${aliasOf ?? name}Answer`

function interfacesOf(operation: Operation): string[] {
  const fields = { ...operation.fields, ...tagFields(operation) }
  const answer = operation.answer === 'empty' ? {} : operation.answer
  return [
    `export type ${fieldsName(operation)} = ${members(fields, '', 'request')}\n`,
    ...(Object.keys(answer).length === 0
      ? []
      : [`export type ${answerName(operation)} = ${members(answer, '', 'answer')}\n`]),
  ]
}

function groupInterface(group: string, methods: readonly Operation[]): string {
  const bases = methods.flatMap(({ client, queries, path }) => {
    if (queries === undefined) return []
    if (!client?.endsWith('.query')) return [`OneRecord<${queries.name}>`]
    return [`${pathParameters(path).length > 0 ? 'AllParts' : 'AllRecords'}<${queries.name}>`]
  })
  const extended = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`
  return `export interface ${groupName(group)}${extended} {\n${methods.map(method).join('\n')}\n}\n`
}

function method(operation: Operation): string {
  const { client, fields, answer, summary, since, permission, aliasOf, path } = operation
  const isRequired = Object.values(fields).some((schema) => !isOptional(schema))
  const parameters = [
    ...pathParameters(path).map((name) => `${name}: string`),
    `fields${isRequired ? '' : '?'}: ${fieldsName(operation)}`,
    'options?: JobCallOptions',
  ]
  const isEmpty = answer === 'empty' || Object.keys(answer).length === 0
  const former = operations.find(({ name }) => name === aliasOf)
  const about = [
    summary,
    `Permission: ${permission}. Since: ${since}.`,
    ...(former === undefined ? [] : [`@deprecated Use ${former.client}.`]),
  ]
  const name = client?.split('.')[1] ?? ''
  const result = isEmpty ? 'Record<never, never>' : answerName(operation)
  return `${comment(about, '  ')}  ${name}(${parameters.join(', ')}): Promise<${result}>`
}

function comment(paragraphs: readonly string[], indent: string): string {
  const safe = paragraphs.map((text) => text.replaceAll('*/', '*\\/'))
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return [`${indent}/**`, safe.map((text) => `${indent} * ${text}`).join(`\n${indent} *\n`), `${indent} */\n`].join(
    '\n',
  )
}

/** A request may contain read-only lists, and undefined for absent fields. */
type Place = 'request' | 'answer'

function members(fields: TProperties, indent: string, place: Place): string {
  const inner = `${indent}  `
  const lines = Object.entries(fields).map(([name, schema]) => {
    const description = descriptionOf(name, schema as Json)
    const type = typeText(schema as Json, inner, place)
    const about = description === '' ? '' : comment([description], inner)
    if (!isOptional(schema)) return `${about}${inner}${name}: ${type}`
    return `${about}${inner}${name}?: ${type}${place === 'request' ? ' | undefined' : ''}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
}

const inventoryNames = new Set(inventories.map(({ name }) => name))

function typeText(schema: Json, indent: string, place: Place): string {
  const { type, enum: values, anyOf, title, items } = schema
  if (inventoryNames.has(String(title))) {
    const record = Array.isArray(schema.required) ? `${title}` : `Partial<${title}>`
    return Array.isArray(type) && type.includes('null') ? `${record} | null` : record
  }
  if (Array.isArray(values)) return values.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeText(one as Json, indent, place)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one }, indent, place)).join(' | ')
  if (type === 'array') return listText(typeText(items as Json, indent, place), place)
  if (type === 'object') return objectText(schema, indent, place)
  if (type === 'string' && schema['x-timestamp'] === true) return 'Timestamp'
  if (type === undefined) return 'unknown'
  return type === 'integer' ? 'number' : String(type)
}

const listText = (item: string, place: Place): string =>
  `${place === 'request' ? 'readonly ' : ''}${/^[\w<>]+$/.test(item) ? item : `(${item})`}[]`

function objectText({ properties, additionalProperties }: Json, indent: string, place: Place): string {
  if (properties !== undefined) return members(properties as TProperties, indent, place)
  const isTyped = typeof additionalProperties === 'object' && additionalProperties !== null
  return `Record<string, ${isTyped ? typeText(additionalProperties as Json, indent, place) : 'unknown'}>`
}
