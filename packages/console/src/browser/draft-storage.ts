import { writeStoredText } from './stored-json.ts'
import { userDataPrefixes } from './user-data.ts'

/** Drafts of forms, kept in sessionStorage: they survive a reload and an expired session. */
const prefix = userDataPrefixes.drafts

/** A field with such a name is never stored. */
const secretName = /passw|passphrase|secret|token|(private|api)_?key|credential/i

export type Draft = Readonly<Record<string, unknown>>

export function readDraft(name: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? '')
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? (stored as Draft) : undefined
  } catch {
    return undefined
  }
}

/** Stores the fields that are not secret; `secrets` names the secret ones that their name does not show. */
export function writeDraft(name: string, draft: Draft, secrets: readonly string[] = []): void {
  const stored = withoutSecrets(draft, secrets)
  writeStoredText(prefix + name, JSON.stringify(stored), sessionStorage)
}

export function removeDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}

/** Also without the secrets of nested objects. */
function withoutSecrets(value: Draft, secrets: readonly string[]): Draft {
  const kept = Object.entries(value).filter(([name]) => !secretName.test(name) && !secrets.includes(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, cleaned(inner, secrets)]))
}

function cleaned(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets))
  return typeof value === 'object' && value !== null ? withoutSecrets(value as Draft, secrets) : value
}
