import { ApiError } from '@wharf/platform/api-error.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'

/** Why work in a folder failed, in the words of the operating system. */
export function folderFailure(error: unknown, storage: string, doing: string): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) return new ApiError('SoftwarePackage.1121', `${storage} cannot ${doing}: ${reasonOf(error)}`)
  return new ApiError('BS.1500', `${storage} cannot ${doing}: ${reasonOf(error)}`, { cause: error })
}
