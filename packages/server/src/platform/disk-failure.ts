import { ApiError } from './api-error.ts'
import { reasonOf } from './operator-error.ts'

const isFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const isBroken = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])

/** What a disk of this node refused, where nobody has said it in better words before: not a fault in Wharf. */
export function diskFailure(error: unknown): ApiError | undefined {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  if (isFull.has(code))
    return new ApiError('SoftwarePackage.1121', `a disk of this node is full: ${reasonOf(error)}`, { cause: error })
  if (isBroken.has(code))
    return new ApiError('SYS.1016', `this node cannot use its files: ${reasonOf(error)}`, { cause: error })
  return undefined
}
