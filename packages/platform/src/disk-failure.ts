import { ApiError } from './api-error.ts'
import { reasonOf } from './operator-error.ts'

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const brokenCodes = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? ''

export const isDiskFull = (error: unknown): boolean => fullCodes.has(codeOf(error))

/** The failure of a disk of this node that no caller has described more precisely: not a fault in Wharf. */
export function diskFailure(error: unknown): ApiError | undefined {
  if ((error as NodeJS.ErrnoException | undefined)?.syscall === undefined) return undefined
  if (isDiskFull(error))
    return new ApiError('SoftwarePackage.1121', `a disk of this node is full: ${reasonOf(error)}`, { cause: error })
  if (brokenCodes.has(codeOf(error)))
    return new ApiError('SYS.1016', `this node cannot use its files: ${reasonOf(error)}`, { cause: error })
  return undefined
}
