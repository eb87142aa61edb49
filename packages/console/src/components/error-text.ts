import { WharfError } from '@wharf/sdk'

/** The server appends the request id to the details; it is shown separately below. */
export const withoutRequest = ({ details, requestId }: WharfError): string =>
  details.replace(` (request ${requestId})`, '')

/** The text to copy into a support request. */
export function quoted(error: unknown): string {
  if (!(error instanceof WharfError)) return String(error)
  const { code, details, requestId, jobUuid } = error
  return [`${code} ${details}`, requestId && `request ${requestId}`, jobUuid && `job ${jobUuid}`]
    .filter(Boolean)
    .join('\n')
}

/** One line for a row of a list. */
export function errorText(error: unknown): string {
  if (error instanceof WharfError) return `${error.code} ${withoutRequest(error)}`
  return error instanceof Error ? error.message : String(error)
}

/** What the catalogue would explain, which is available only to signed-in users. */
export function hintBeforeSignIn(
  { code, isWrongCredential }: Pick<WharfError, 'code' | 'isWrongCredential'>,
  words: Readonly<Record<string, string>>,
): string | undefined {
  // otherwise the details name the remedy, such as the next code for a wrong second factor
  if (code === 'ID.1000' && !isWrongCredential) return undefined
  return Object.hasOwn(words, code) ? words[code] : undefined
}
