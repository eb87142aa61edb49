import { systemTagPatterns } from '@wharf/contract'
import { invalid } from '../platform/api-error.ts'
import { controlCharacters } from './clean.ts'

const maxTags = 100
/** Room for a configuration of 128 KiB in base64, or escaped in JSON. */
const maxSystemTagLength = 300_000
const maxUserTagLength = 2048

export interface Tags {
  readonly system: readonly string[]
  readonly user: readonly string[]
}

export const noTags: Tags = { system: [], user: [] }

/** The union of the lists that stand beside the structure, inside it, or in the query. */
export function readTags(places: readonly Record<string, unknown>[]): Tags {
  if (!places.some(({ systemTags, userTags }) => systemTags !== undefined || userTags !== undefined)) return noTags
  // a system tag carries configuration, which reaches its destination as it stands
  const system = union(places, 'systemTags', maxSystemTagLength, (tag) => tag)
  for (const tag of system) {
    const pattern = tag.slice(0, tag.indexOf('::'))
    if (!tag.includes('::') || !(systemTagPatterns as readonly string[]).includes(pattern))
      throw invalid(`systemTags may hold ${systemTagPatterns.map((name) => `${name}::…`).join(', ')}`)
  }
  return { system, user: union(places, 'userTags', maxUserTagLength, plainText) }
}

function plainText(tag: string): string {
  if (controlCharacters.test(tag)) throw invalid('userTags: a tag holds control characters')
  return tag.trim()
}

function union(
  places: readonly Record<string, unknown>[],
  name: string,
  maxLength: number,
  clean: (tag: string) => string,
): string[] {
  const found = new Set<string>()
  for (const place of places) {
    const list = place[name]
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) throw invalid(`${name} must be a list of strings`)
    for (const tag of list) {
      if (typeof tag !== 'string' || tag.trim() === '') throw invalid(`${name} must be a list of non-empty strings`)
      if (tag.length > maxLength) throw invalid(`${name}: a tag may have at most ${maxLength} characters`)
      if (!tag.isWellFormed() || tag.includes('\0')) throw invalid(`${name}: a tag holds characters that are not text`)
      found.add(clean(tag))
    }
  }
  if (found.size > maxTags) throw invalid(`${name} may hold at most ${maxTags} tags`)
  return [...found]
}

/**
 * The fields that a tag such as `installConfig::{…}` carries: JSON as it stands, else with one outer pair of
 * braces removed, else base64 of it.
 */
export function fieldsInTag(tags: Tags, pattern: string, structure: string): Record<string, unknown> {
  const tag = tags.system.find((candidate) => candidate.startsWith(`${pattern}::`))
  if (tag === undefined) return {}
  const text = tag.slice(pattern.length + 2)
  const message =
    asObject(text) ??
    asObject(text.replace(/^\{([\s\S]*)\}$/, '$1')) ??
    asObject(Buffer.from(text, 'base64').toString())
  if (message === undefined) throw invalid(`systemTags: ${pattern}:: must carry a JSON object`)
  const inner = message[structure]
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? (inner as Record<string, unknown>)
    : message
}

function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
