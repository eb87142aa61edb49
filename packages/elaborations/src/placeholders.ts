import type { ElaborationContent } from './elaboration.ts'

const placeholder = /\{([a-zA-Z]\w*)\}/g
/** A group may match a whole log; a message stays readable. */
const maxFilledLength = 200

/** The names in braces of a message: `{host}` is replaced by what the group `(?P<host>…)` of the pattern matched. */
export const placeholdersIn = (message: string | null): string[] =>
  [...(message ?? '').matchAll(placeholder)].map((match) => match[1] ?? '')

/** The names of the groups of a pattern. */
export const groupNames = (pattern: string): string[] =>
  [...pattern.matchAll(/\(\?P?<(\w+)>/g)].map((match) => match[1] ?? '')

type Groups = Readonly<Record<string, string | null>>

/** Fills the placeholders of both messages; an ellipsis replaces a group without a match. */
export function fillPlaceholders(content: ElaborationContent, findGroups: () => Groups): ElaborationContent {
  const { message_cn, message_en } = content
  if (placeholdersIn(message_cn).length + placeholdersIn(message_en).length === 0) return content
  const groups = findGroups()
  const fill = (message: string | null) =>
    message?.replaceAll(placeholder, (_, name: string) => readable(groups[name])) ?? null
  return { ...content, message_cn: fill(message_cn), message_en: fill(message_en) }
}

function readable(found: string | null | undefined): string {
  const text = (found ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  if (text === '') return '…'
  return text.length > maxFilledLength ? `${text.slice(0, maxFilledLength)}…` : text
}
