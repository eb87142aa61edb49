import type { Role } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import { OnAnotherNode } from '@wharf/platform/on-another-node.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'

/** Every way a tus call is refused, in one place. */

/** Says nothing about what exists: a wrong signature and a wrong id look the same. */
export const unknownUpload = (): ApiError => new ApiError('SYS.1003', 'there is no upload at this address')

export const uploadEnded = (): ApiError => new ApiError('SoftwarePackage.1133', 'this upload has ended')

export const alreadyComplete = (): ApiError =>
  new ApiError('SoftwarePackage.1133', 'this upload is complete; its package tells what became of it')

export const onAnotherNode = (nodeUuid: string): ApiError =>
  new OnAnotherNode(nodeUuid, `this upload is with management node ${nodeUuid}`)

export const wrongOffset = (given: number, actual: number): ApiError =>
  new ApiError('SYS.1006', `Upload-Offset is ${given}, but the upload stands at ${actual}`)

export const takenOver = (): ApiError =>
  new ApiError('SYS.1006', 'a newer request has taken over this upload; what arrived is kept')

export const brokenOff = (): ApiError =>
  new ApiError('SYS.1007', 'the connection broke off before the slice ended; what arrived is kept')

export const sliceTooLarge = (maxBytes: number): ApiError =>
  new ApiError('SYS.1007', `a slice may have ${maxBytes} bytes at most`, { status: 413 })

export const pastTheEnd = (size: number): ApiError =>
  new ApiError('SYS.1007', `the slice goes past the end of the upload, which has ${size} bytes`, { status: 413 })

export const packageTooLarge = (maxBytes: number): ApiError =>
  new ApiError('SYS.1007', `a package may have ${maxBytes} bytes at most (WHARF_MAX_PACKAGE_BYTES)`, { status: 413 })

export const sliceMismatch = (algorithm: string): ApiError =>
  new ApiError(
    'SYS.1007',
    `the ${algorithm} of the slice is another one than Upload-Checksum; nothing of it was kept`,
    {
      // the word of tus for it
      status: 460,
    },
  )

export const terminated = (): ApiError => new ApiError('SYS.1017', 'the upload was terminated by its client')

export const expired = (hours: number): ApiError =>
  new ApiError('SoftwarePackage.1133', `the upload has ended because no slice came for ${hours} hours`)

export const outlived = (days: number): ApiError =>
  new ApiError(
    'SoftwarePackage.1133',
    `the upload has ended ${days} days after it was opened; upload the package again`,
  )

export const userDeleted = (): ApiError =>
  new ApiError('SoftwarePackage.1133', 'the upload has ended because the user who opened it was deleted')

export const missingRights = (role: Role): ApiError =>
  new ApiError(
    'ID.1002',
    `the user who opened this upload has the role ${role} now, which may not upload this package; upload it again as a user who may`,
  )

const noSpace = (cause?: unknown): ApiError =>
  new ApiError('SoftwarePackage.1121', 'the spool of this node has no room for it; nothing of it was kept', { cause })

export const notOnDisk = (cause: unknown): ApiError =>
  isDiskFull(cause)
    ? noSpace(cause)
    : new ApiError(
        'SYS.1016',
        `the disk of this node did not take the upload: ${reasonOf(cause)}; nothing of it was kept, send it again`,
        { cause },
      )

export const shuttingDown = (): ApiError =>
  new ApiError('SYS.1010', 'this node is shutting down; what arrived is kept', { retryAfterSeconds: 1 })

/** What a write to the spool may throw, told to a client. */
export function writeFailure(error: unknown): unknown {
  if (isDiskFull(error)) return noSpace(error)
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error
  return new ApiError('SYS.1016', `the spool of this node cannot be used: ${reasonOf(error)}`, { cause: error })
}
