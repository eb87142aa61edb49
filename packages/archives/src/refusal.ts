import { ApiError } from '@wharf/platform/api-error.ts'

const shownCharacters = 120

/** A name of a stranger's archive, safe to print: quoted, control characters escaped, cut. */
export function quoted(name: string): string {
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name
  return JSON.stringify(shown).replaceAll(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped)
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The archive as a whole breaks a rule. */
export const refuseArchive = (rule: string, cause?: unknown): ApiError =>
  new ApiError('SoftwarePackage.1132', `the archive is refused: ${rule}`, { cause })

/** One entry of it does. */
export const refuseEntry = (name: string, rule: string, cause?: unknown): ApiError =>
  refuseArchive(`entry ${quoted(name)} ${rule}`, cause)

/** wharf.json is not what it should be. */
export const refuseManifest = (rule: string, cause?: unknown): ApiError =>
  new ApiError('SoftwarePackage.1132', `wharf.json is refused: ${rule}`, { cause })

/** What the zip library and the decompressor complain about is the archive's fault; trouble with our disk is not. */
export function asZipRefusal(error: unknown): unknown {
  if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  return refuseArchive(`its zip is broken (${error instanceof Error ? error.message : String(error)})`, error)
}
