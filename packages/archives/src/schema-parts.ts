import { refuseManifest } from './refusal.ts'

/** These keywords contain values, not schemas: a reference there is not resolved. */
const values = new Set(['const', 'enum', 'default', 'examples'])
const references = ['$ref', '$dynamicRef']

/** A schema refers to parts of itself only, and to parts that exist; nothing is ever fetched. Its patterns are patterns. */
export function checkParts(schema: unknown): void {
  const anchors = new Set<string>()
  for (const { value } of schemasIn(schema, true)) {
    for (const key of ['$anchor', '$dynamicAnchor']) if (typeof value[key] === 'string') anchors.add(`#${value[key]}`)
  }
  for (const { value, isRoot } of schemasIn(schema, true)) {
    checkPatterns(value)
    if (!isRoot && typeof value.$id === 'string') throw refuseManifest('config may have an $id at its top only')
    for (const key of references) {
      const reference = value[key]
      if (typeof reference !== 'string') continue
      if (!reference.startsWith('#'))
        throw refuseManifest(`config may refer to itself only, not to ${shown(reference)}`)
      if (!anchors.has(reference) && !exists(schema, reference))
        throw refuseManifest(`config refers to ${shown(reference)}, which is not in it`)
    }
  }
}

function checkPatterns({ pattern, patternProperties }: Record<string, unknown>): void {
  const names =
    typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []
  for (const one of typeof pattern === 'string' ? [pattern, ...names] : names) {
    if (!isPattern(one)) throw refuseManifest(`config has the pattern ${shown(one)}, which is none`)
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

const shown = (reference: string): string => JSON.stringify(reference.slice(0, 120))

interface Place {
  readonly value: Record<string, unknown>
  readonly isRoot: boolean
}

function* schemasIn(value: unknown, isRoot: boolean): Generator<Place> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { value: value as Record<string, unknown>, isRoot }
  for (const [key, inner] of Object.entries(value)) if (!values.has(key)) yield* schemasIn(inner, false)
}

function exists(schema: unknown, reference: string): boolean {
  if (reference === '#') return true
  if (!reference.startsWith('#/')) return false
  let at: unknown = schema
  for (const part of reference.slice(2).split('/')) {
    const key = unescaped(part)
    if (typeof at !== 'object' || at === null || key === undefined || !Object.hasOwn(at, key)) return false
    at = (at as Record<string, unknown>)[key]
  }
  return typeof at === 'boolean' || (typeof at === 'object' && at !== null)
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
