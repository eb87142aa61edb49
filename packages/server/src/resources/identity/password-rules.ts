import { readFileSync } from 'node:fs'
import { invalid } from '@wharf/platform/api-error.ts'

const minCharacters = 12

let mostUsed: ReadonlySet<string> | undefined

/** Loaded on first use. */
function isMostUsed(password: string): boolean {
  mostUsed ??= new Set(readFileSync(new URL('most-used-passwords/list.txt', import.meta.url), 'utf8').split('\n'))
  return mostUsed.has(password.toLowerCase())
}

/** What is wrong with a new password. The lower-case hex SHA-512 of one cannot be judged. */
export function passwordProblem(password: string): string | undefined {
  const { length } = [...password]
  if (length < minCharacters)
    return `has ${length === 1 ? '1 character' : `${length} characters`}; choose a password of at least ${minCharacters}`
  if (isMostUsed(password))
    return `is among the 10,000 most used passwords of at least ${minCharacters} characters; choose another one`
  return undefined
}

/** `field` as the call names it. */
export function refuseWeakPassword(field: string, password: string): void {
  const problem = passwordProblem(password)
  if (problem !== undefined) throw invalid(`${field} ${problem}`)
}
