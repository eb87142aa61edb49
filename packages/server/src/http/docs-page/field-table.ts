import { type OpenApi, recordName, type Schema } from './document.ts'
import { type Content, type Html, html, inline } from './html.ts'

export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

interface Table {
  /** The version of the record or structure: a field shows its own only where that differs. */
  readonly since: string | undefined
  /** A request marks required fields, a response optional ones. */
  readonly of: 'request' | 'answer'
}

export function fieldTable(document: OpenApi, fields: readonly Field[], table: Table): Html {
  const rows = fields.flatMap((field) => fieldRows(document, field, table, 0))
  return html`<div class="scroll"><table class="fields"><tbody>${rows}</tbody></table></div>`
}

function fieldRows(document: OpenApi, { name, schema, required }: Field, table: Table, depth: number): Html[] {
  const since = schema['x-since']
  const need = { request: required ? 'required' : '', answer: required ? '' : 'not in every answer' }[table.of]
  const chips = [
    schema.deprecated ? html`<span class="chip warn">deprecated</span>` : undefined,
    schema.writeOnly ? html`<span class="chip">secret</span>` : undefined,
    schema['x-shown-once'] ? html`<span class="chip">shown once</span>` : undefined,
    since === undefined || since === table.since ? undefined : html`<span class="chip">since ${since}</span>`,
  ]
  const row = html`<tr class="depth-${Math.min(depth, 3)}"><th scope="row"><code>${name}</code>${
    need === '' ? undefined : html`<span class="required">${need}</span>`
  }</th>
<td><span class="type">${typeName(document, schema)}</span>${limits(schema)}</td>
<td>${inline(schema.description ?? '')} ${chips}</td></tr>`
  return [row, ...fieldsOf(schema).flatMap((inner) => fieldRows(document, inner, table, depth + 1))]
}

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []))

export const isUuid = ({ pattern = '' }: Schema): boolean => /^\^\[0-9a-fA?-?F?\]\{32\}\$$/i.test(pattern)
export const isTimestamp = ({ pattern = '' }: Schema): boolean => pattern.startsWith('^(Jan|')

function typeName(document: OpenApi, schema: Schema): Content {
  if (schema.$ref !== undefined) {
    const name = recordName(document, schema.$ref)
    return html`<a href="#${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) {
    const names = schema.anyOf.map(({ $ref }) => $ref && recordName(document, $ref))
    const different = schema.anyOf.filter(
      (_, index) => names[index] === undefined || names.indexOf(names[index]) === index,
    )
    return different.map((choice, index) => [index > 0 ? ' or ' : '', typeName(document, choice)])
  }
  const names = typesOf(schema).map((type): Content => {
    if (type === 'array') return ['list of ', typeName(document, schema.items ?? {})]
    if (type === 'object' && typeof schema.additionalProperties === 'object')
      return ['map of text to ', typeName(document, schema.additionalProperties)]
    if (type === 'string') return isUuid(schema) ? 'uuid' : isTimestamp(schema) ? 'timestamp' : 'text'
    return type
  })
  return names.map((name, index) => [index > 0 ? ' or ' : '', name])
}

/** The rules of a value. */
function limits(schema: Schema): Content {
  const { minimum, maximum, maxLength, maxItems, pattern } = schema
  const values = schema.enum?.filter((value) => value !== null) ?? []
  const range =
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? minimum && `at least ${minimum}`
      : `${minimum ?? 0} to ${maximum}`
  const ownPattern = pattern === undefined || isUuid(schema) || isTimestamp(schema) ? undefined : pattern
  const rules: Content[] = [
    values.length > 0 ? values.map((value) => html`<code class="value">${value ?? ''}</code> `) : undefined,
    range === undefined || range === 0 ? undefined : range,
    maxLength === undefined ? undefined : `up to ${maxLength.toLocaleString('en')} characters`,
    ownPattern === undefined ? undefined : html`<code>${ownPattern}</code>`,
    maxItems === undefined ? undefined : `up to ${maxItems.toLocaleString('en')} items`,
  ].filter((rule) => rule !== undefined)
  return rules.length === 0
    ? undefined
    : html`<span class="limits">${rules.map((rule) => html`<span>${rule}</span>`)}</span>`
}
