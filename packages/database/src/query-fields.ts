import { type Inventory, uuidPattern } from '@wharf/contract'

/** Records that are stored and can be queried. */
export type StoredInventory = Inventory & { readonly table: string }

/** How fields are read that are not simply the column of their name. */
export interface FieldColumns {
  /** SQL, identifiers quoted, for each field that is not the column of its own name. */
  columns?: Record<string, string>
  /** Fields whose text may be written in several ways, each of which finds it. */
  spellings?: Record<string, Spellings>
}

/** `=` and `?=` compare the stored form, which may have an index; `~=` tries every spelling. */
export interface Spellings {
  /** SQL of the stored form. */
  column: string
  /** The stored forms that a text may mean. */
  stored(text: string): string[]
  /** SQL of every spelling; never null. */
  written: readonly string[]
}

/** json: a list or map, stored as text; it is read, but neither queried nor sorted by. */
export type Kind = 'string' | 'integer' | 'boolean' | 'timestamp' | 'json'

export interface Field {
  name: string
  kind: Kind
  nullable: boolean
  /** One of a few values, each of which many rows may have. */
  isChoice: boolean
  /** Stored without dashes and in lower case, however a condition writes it. */
  isUuid: boolean
  /** What it is in SQL. */
  expression: string
  /** What it is in the list after `select`. */
  selected: string
  readable: boolean
  /** Conditions and orders may name it. */
  queried: boolean
  /** At most so many characters. */
  length: number
  spellings?: Spellings | undefined
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export function fieldsOf(inventory: Inventory, { columns = {}, spellings = {} }: FieldColumns = {}): Field[] {
  return Object.entries(inventory.schema.properties).map(([name, property]) => {
    const schema = property as unknown as JsonSchema
    const types = typesOf(schema)
    const hasColumn = columns[name] !== undefined || inventory.computed?.includes(name) !== true
    const readable = schema.writeOnly !== true && hasColumn
    const kind = kindOf(schema, types, `${inventory.name}.${name}`)
    const expression = columns[name] === undefined ? quoteName(name) : `(${columns[name]})`
    return {
      name,
      kind,
      nullable: types.includes('null'),
      isChoice: schema.enum !== undefined,
      isUuid: schema.pattern === uuidPattern,
      expression,
      selected: readable
        ? expression === quoteName(name)
          ? expression
          : `${expression} as ${quoteName(name)}`
        : `null as ${quoteName(name)}`,
      readable,
      queried: readable && kind !== 'json' && schema['x-queried'] !== false,
      length: readable ? lengthOf(schema) : 0,
      spellings: spellings[name],
    }
  })
}

/** Of a list or map, whose schema names no length, and more than uuids, choices and numbers have. */
const otherLength = 16_384
const shortLength = 64

function lengthOf({ type = [], anyOf = [], maxLength = 0 }: JsonSchema): number {
  const other = [type].flat().some((one) => one === 'array' || one === 'object') ? otherLength : shortLength
  return Math.max(maxLength, other * Number(maxLength === 0), ...anyOf.map(lengthOf))
}

interface JsonSchema {
  type?: string | string[]
  maxLength?: number
  enum?: unknown[]
  pattern?: string
  anyOf?: JsonSchema[]
  writeOnly?: boolean
  'x-timestamp'?: boolean
  'x-queried'?: boolean
}

const typesOf = ({ type = [], anyOf = [] }: JsonSchema): string[] => [type, anyOf.map(typesOf)].flat(2)

function kindOf(schema: JsonSchema, types: string[], place: string): Kind {
  if (schema['x-timestamp']) return 'timestamp'
  for (const kind of ['string', 'integer', 'boolean'] as const) if (types.includes(kind)) return kind
  if (types.includes('array') || types.includes('object')) return 'json'
  throw new Error(`${place} has a type without a column type`)
}
