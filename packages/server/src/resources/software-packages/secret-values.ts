import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { TookTooLong, withinTime } from '@wharf/archives/time-limit.ts'

type Fields = Readonly<Record<string, unknown>>

/** A schema that takes longer may be hostile; then every value counts as a secret. */
const searchLimitMs = 500

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every text and number in a configuration that its schema marks as write-only, anywhere in the schema. */
export const findSecretValues = (schema: JsonSchema, config: unknown): string[] =>
  search(schema, config)?.values ?? leavesOf(config)

/** The configuration without the fields that its schema marks as write-only, anywhere in the schema. */
export function hideSecretFields(schema: JsonSchema, config: unknown): unknown {
  const found = search(schema, config)
  return found === undefined || found.paths.has('') ? {} : withoutPaths(config, found.paths)
}

/** Undefined for a schema that takes too long. */
function search(schema: JsonSchema, config: unknown): SecretSearch | undefined {
  try {
    return withinTime(searchLimitMs, () => new SecretSearch(schema, config))
  } catch (error) {
    if (error instanceof TookTooLong || error instanceof RangeError) return undefined
    throw error
  }
}

const within = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

function withoutPaths(value: unknown, hidden: ReadonlySet<string>, path = ''): unknown {
  const shown = (inner: readonly (readonly [name: string, value: unknown])[]) =>
    inner
      .filter(([name]) => !hidden.has(within(path, name)))
      .map(([name, one]) => [name, withoutPaths(one, hidden, within(path, name))] as const)
  if (Array.isArray(value)) return shown(Object.entries(value)).map(([, one]) => one)
  return isFields(value) ? Object.fromEntries(shown(Object.entries(value))) : value
}

/** The values that a program can print; true, false and null reveal nothing. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

class SecretSearch {
  readonly #root: JsonSchema
  readonly #values = new Set<string>()
  /** JSON Pointers; the empty one is the whole configuration. */
  readonly paths = new Set<string>()
  /** A schema may refer to itself, and reach one part by many paths. */
  readonly #visited = new Map<object, Set<string>>()

  constructor(root: JsonSchema, config: unknown) {
    this.#root = root
    this.#visit(root, config, '')
  }

  get values(): string[] {
    return [...this.#values]
  }

  #visit(schema: unknown, value: unknown, path: string): void {
    if (!isFields(schema)) return
    const visited = this.#visited.get(schema) ?? new Set()
    if (visited.has(path)) return
    this.#visited.set(schema, visited.add(path))
    if (schema.writeOnly === true) this.#keep(value, path)
    for (const name of ['$ref', '$dynamicRef'])
      if (typeof schema[name] === 'string') this.#follow(schema[name], value, path)
    for (const name of ['allOf', 'anyOf', 'oneOf'])
      for (const one of listOf(schema[name])) this.#visit(one, value, path)
    for (const name of ['if', 'then', 'else']) this.#visit(schema[name], value, path)
    for (const name of ['dependentSchemas', 'dependencies'])
      for (const one of Object.values(fieldsOf(schema[name]))) this.#visit(one, value, path)
    if (Array.isArray(value)) this.#visitItems(schema, value, path)
    else if (isFields(value)) this.#visitProperties(schema, value, path)
  }

  #visitItems(schema: Fields, items: readonly unknown[], path: string): void {
    const first = listOf(schema.prefixItems)
    for (const [index, item] of items.entries()) {
      const inner = within(path, index)
      this.#visit(index < first.length ? first[index] : schema.items, item, inner)
      this.#visit(schema.contains, item, inner)
      this.#visit(schema.unevaluatedItems, item, inner)
    }
  }

  #visitProperties(schema: Fields, value: Fields, path: string): void {
    const properties = fieldsOf(schema.properties)
    const patterns = Object.entries(fieldsOf(schema.patternProperties)).map(
      ([pattern, one]) => [new RegExp(pattern, 'u'), one] as const,
    )
    for (const [name, inner] of Object.entries(value)) {
      const innerPath = within(path, name)
      const own = Object.hasOwn(properties, name) ? [properties[name]] : []
      const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, one]) => one)
      const described = [...own, ...matching]
      const others = [schema.additionalProperties, schema.unevaluatedProperties]
      for (const one of described.length > 0 ? described : others) this.#visit(one, inner, innerPath)
      this.#visit(schema.propertyNames, name, innerPath)
    }
  }

  /** A reference that cannot be resolved may mark anything as a secret. */
  #follow(reference: string, value: unknown, path: string): void {
    const target =
      reference.startsWith('#/') || reference === '#' ? this.#resolvePointer(reference) : this.#findAnchor(reference)
    if (target === undefined) this.#keep(value, path)
    else this.#visit(target, value, path)
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

  #keep(value: unknown, path: string): void {
    this.paths.add(path)
    for (const leaf of leavesOf(value)) this.#values.add(leaf)
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
