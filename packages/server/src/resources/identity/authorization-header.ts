import { normalizeUuid } from '@wharf/contract'

export type Authorization =
  | { kind: 'session'; uuid: string }
  | { kind: 'key'; id: string; signature: string }
  | { kind: 'none' }
  | { kind: 'unreadable' }

const sessionForm = /^\s*OAuth\s+(\S+)\s*$/i
const keyForm = /^\s*(\S+)\s+([^\s:]+)\s*:\s*(\S+)\s*$/

/** `OAuth <session>` or `<Scheme> <id>:<signature>`; scheme words ignore case (`schemes` are in lower case), spaces may be many. */
export function parseAuthorization(header: string | undefined, schemes: readonly string[]): Authorization {
  if (header === undefined || header.trim() === '') return { kind: 'none' }
  const uuid = sessionForm.exec(header)?.[1]
  if (uuid !== undefined) return { kind: 'session', uuid: normalizeUuid(uuid) }
  const [, word, id, signature] = keyForm.exec(header) ?? []
  if (word === undefined || id === undefined || signature === undefined) return { kind: 'unreadable' }
  return schemes.includes(word.toLowerCase()) ? { kind: 'key', id, signature } : { kind: 'unreadable' }
}
