import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { TookTooLong, withinTime } from '@wharf/archives/time-limit.ts'

type Fields = Readonly<Record<string, unknown>>

/** A schema that takes longer may be hostile; then every value counts as a secret. */
const searchLimitMs = 500

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every text and number in a configuration that its schema marks as write-only, anywhere in the schema. */
export function findSecretValues(schema: JsonSchema, config: unknown): string[] {
  try {
    return withinTime(searchLimitMs, () => new SecretSearch(schema).search(config))
  } catch (error) {
    if (error instanceof TookTooLong || error instanceof RangeError) return leavesOf(config)
    throw error
  }
}

/** The values that a program can print; true, false and null reveal nothing. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

class SecretSearch {
  readonly #root: JsonSchema
  readonly #found = new Set<string>()
  /** A schema may refer to itself, and reach one part by many paths. */
  readonly #visited = new Map<object, Set<unknown>>()

  constructor(root: JsonSchema) {
    this.#root = root
  }

  search(config: unknown): string[] {
    this.#visit(this.#root, config)
    return [...this.#found]
  }

  #visit(schema: unknown, value: unknown): void {
    if (!isFields(schema)) return
    const visited = this.#visited.get(schema) ?? new Set()
    if (visited.has(value)) return
    this.#visited.set(schema, visited.add(value))
    if (schema.writeOnly === true) this.#keep(value)
    for (const name of ['$ref', '$dynamicRef']) if (typeof schema[name] === 'string') this.#follow(schema[name], value)
    for (const name of ['allOf', 'anyOf', 'oneOf']) for (const one of listOf(schema[name])) this.#visit(one, value)
    for (const name of ['if', 'then', 'else']) this.#visit(schema[name], value)
    for (const name of ['dependentSchemas', 'dependencies'])
      for (const one of Object.values(fieldsOf(schema[name]))) this.#visit(one, value)
    if (Array.isArray(value)) this.#visitItems(schema, value)
    else if (isFields(value)) this.#visitProperties(schema, value)
  }

  #visitItems(schema: Fields, items: readonly unknown[]): void {
    const first = listOf(schema.prefixItems)
    for (const [index, item] of items.entries()) {
      this.#visit(index < first.length ? first[index] : schema.items, item)
      this.#visit(schema.contains, item)
      this.#visit(schema.unevaluatedItems, item)
    }
  }

  #visitProperties(schema: Fields, value: Fields): void {
    const properties = fieldsOf(schema.properties)
    const patterns = Object.entries(fieldsOf(schema.patternProperties)).map(
      ([pattern, one]) => [new RegExp(pattern, 'u'), one] as const,
    )
    for (const [name, inner] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? [properties[name]] : []
      const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, one]) => one)
      const described = [...own, ...matching]
      const others = [schema.additionalProperties, schema.unevaluatedProperties]
      for (const one of described.length > 0 ? described : others) this.#visit(one, inner)
      this.#visit(schema.propertyNames, name)
    }
  }

  /** A reference that cannot be resolved may mark anything as a secret. */
  #follow(reference: string, value: unknown): void {
    const target =
      reference.startsWith('#/') || reference === '#' ? this.#resolvePointer(reference) : this.#findAnchor(reference)
    if (target === undefined) this.#keep(value)
    else this.#visit(target, value)
  }

  #resolvePointer(reference: string): unknown {
    let at: unknown = this.#root
    for (const part of reference.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Fields)[key] : undefined
    }
    return at
  }

  #findAnchor(reference: string, at: unknown = this.#root): unknown {
    if (typeof at !== 'object' || at === null) return undefined
    const { $anchor, $dynamicAnchor } = at as Fields
    if (`#${$anchor}` === reference || `#${$dynamicAnchor}` === reference) return at
    for (const inner of Object.values(at)) {
      const found = this.#findAnchor(reference, inner)
      if (found !== undefined) return found
    }
    return undefined
  }

  #keep(value: unknown): void {
    for (const leaf of leavesOf(value)) this.#found.add(leaf)
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
