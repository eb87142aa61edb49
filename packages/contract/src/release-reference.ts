import { normalizeUuid } from './uuid.ts'

/** How a caller names a release. */
export type ReleaseReference = { readonly uuid: string } | { readonly name: string; readonly version: string }

/** A uuid, or `name@version`; a name may contain @ itself. Undefined for other text. */
export function parseReleaseReference(text: string): ReleaseReference | undefined {
  const at = text.lastIndexOf('@')
  if (at > 0 && at < text.length - 1) return { name: text.slice(0, at), version: text.slice(at + 1) }
  const uuid = normalizeUuid(text)
  return /^[0-9a-f]{32}$/.test(uuid) ? { uuid } : undefined
}
