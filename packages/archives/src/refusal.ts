import { ApiError } from '@wharf/platform/api-error.ts'

const shownCharacters = 120

/** A name in an untrusted archive, safe to print: quoted, escaped and truncated. */
export function quoted(name: string): string {
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name
  return JSON.stringify(shown).replaceAll(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped)
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The archive as a whole breaks a rule. */
export const refuseArchive = (rule: string, cause?: unknown): ApiError =>
  new ApiError('SoftwarePackage.1132', `the archive is refused: ${rule}`, { cause })

/** One entry breaks a rule. */
export const refuseEntry = (name: string, rule: string, cause?: unknown): ApiError =>
  refuseArchive(`entry ${quoted(name)} ${rule}`, cause)

/** wharf.json breaks a rule. */
export const refuseManifest = (rule: string, cause?: unknown): ApiError =>
  new ApiError('SoftwarePackage.1132', `wharf.json is refused: ${rule}`, { cause })

/** Errors of the zip library and the decompressor are errors of the archive; errors of our disk are not. */
export function asZipRefusal(error: unknown): unknown {
  if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  return refuseArchive(`its zip is broken (${error instanceof Error ? error.message : String(error)})`, error)
}
