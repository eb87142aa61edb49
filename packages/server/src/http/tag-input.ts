import { configTagPatterns, maxUserTagLength, systemTagPatterns } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { editDistance } from '@wharf/platform/edit-distance.ts'
import { controlCharacters } from './normalize-fields.ts'

const maxTags = 100
/** Enough for a configuration of 128 KiB in base64, or escaped in JSON. */
const maxConfigTagLength = 300_000
const maxSystemTagLength = 4096
/** A name that differs by so many edits from a known pattern is more likely a typo than another tag. */
const maxTypoEdits = 2

const separator = '::'

export interface Tags {
  readonly system: readonly string[]
  readonly user: readonly string[]
}

export const noTags: Tags = { system: [], user: [] }

type Places = readonly Record<string, unknown>[]

/** Of a create: the union of the lists next to the structure and inside it. */
export function readTags(places: Places): Tags {
  if (!places.some(({ systemTags, userTags }) => systemTags !== undefined || userTags !== undefined)) return noTags
  return {
    system: union(places, 'systemTags', maxConfigTagLength, checkedSystemTag),
    user: union(places, 'userTags', maxUserTagLength, plainText),
  }
}

/** Of an update: only the tags that carry its fields are read, and other tags are ignored whatever their form. */
export function readConfigTag(places: Places, pattern: string): string[] {
  return places
    .flatMap(({ systemTags }): unknown[] => (Array.isArray(systemTags) ? systemTags : []))
    .filter((tag): tag is string => typeof tag === 'string' && tag.startsWith(pattern + separator))
}

/** A system tag may carry configuration, so it is never trimmed or otherwise changed. */
function checkedSystemTag(tag: string): string {
  if (configTagPatterns.some((pattern) => tag.startsWith(pattern + separator))) return tag
  if (tag.length > maxSystemTagLength)
    throw invalid(`systemTags: a tag that carries no configuration may have at most ${maxSystemTagLength} characters`)
  const [, name = '', colons = ''] = /^([^:]*)(:{0,2})/.exec(tag) ?? []
  const typoOf = systemTagPatterns.find((pattern) => {
    // comparing a long name is slow, and its length already differs too much
    if (Math.abs(name.length - pattern.length) > maxTypoEdits) return false
    const count = editDistance(name, pattern) + separator.length - colons.length
    return count > 0 && count <= maxTypoEdits
  })
  if (typoOf !== undefined)
    throw invalid(
      `systemTags: ${JSON.stringify(name)} is close to the known pattern ${typoOf}::; write ${typoOf}::value, or choose a name that differs more`,
    )
  return tag
}

function plainText(tag: string): string {
  if (controlCharacters.test(tag)) throw invalid('userTags: a tag contains control characters')
  return tag.trim()
}

function union(places: Places, name: string, maxLength: number, clean: (tag: string) => string): string[] {
  const found = new Set<string>()
  for (const place of places) {
    const list = place[name]
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) throw invalid(`${name} must be a list of strings`)
    for (const tag of list) {
      if (typeof tag !== 'string' || tag.trim() === '') throw invalid(`${name} must be a list of non-empty strings`)
      if (tag.length > maxLength) throw invalid(`${name}: a tag may have at most ${maxLength} characters`)
      if (!tag.isWellFormed() || tag.includes('\0'))
        throw invalid(`${name}: a tag contains characters that are not text`)
      found.add(clean(tag))
    }
  }
  if (found.size > maxTags) throw invalid(`${name} may contain at most ${maxTags} tags`)
  return [...found]
}

/**
 * The fields that a tag such as `installConfig::{…}` carries: raw JSON, else with one outer pair of
 * braces removed, else base64 of it.
 */
export function fieldsInTag(
  systemTags: readonly string[],
  pattern: string,
  structure: string,
): Record<string, unknown> {
  const tag = systemTags.find((candidate) => candidate.startsWith(`${pattern}::`))
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
