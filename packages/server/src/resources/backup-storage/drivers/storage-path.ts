import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '@wharf/platform/api-error.ts'

const maxPathBytes = 1024

/** A path below the root of a storage; a leading slash means that root. */
export function checkedPath(given: string): string {
  const path = given.replace(/^\//, '')
  const rule = path.includes('\0')
    ? 'may not contain NUL'
    : path.split('/').some((part) => part === '' || part === '.' || part === '..')
      ? 'must name a file below the root of the storage'
      : Buffer.byteLength(path) > maxPathBytes
        ? `may have at most ${maxPathBytes} bytes`
        : undefined
  if (rule === undefined) return path
  throw new ApiError(
    'SoftwarePackage.1131',
    `the path ${JSON.stringify(given.slice(0, 200))} on backup storage ${rule}`,
  )
}

/**
 * The name of a file while it is incomplete. All parts of one file have the same prefix, so that those of a killed put
 * are found. A package cannot have such a name, and every file system allows its length.
 */
export const partPrefix = (name: string): string => `~${createHash('sha256').update(name).digest('hex').slice(0, 16)}.`

export const newPartName = (name: string): string => `${partPrefix(name)}${randomBytes(6).toString('hex')}.part`

/** A file that tests whether the storage is writable. */
export const newProbeName = (): string => `~check.${randomBytes(6).toString('hex')}`

/** `a/b/c` → `a/b`, `a`: the folders of a file, the nearest first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}
