import type { Role } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'

/** Every refusal of a tus request. */

/** Does not reveal what exists: a wrong signature and a wrong id get the same answer. */
export const unknownUpload = (): ApiError => new ApiError('SYS.1003', 'no upload exists at this address')

export const uploadEnded = (): ApiError =>
  new ApiError('SoftwarePackage.1133', 'this upload has ended; upload the package again')

export const alreadyComplete = (): ApiError =>
  new ApiError('SoftwarePackage.1133', 'this upload is complete; its result is the status of its package')

export const onAnotherNode = (nodeUuid: string): ApiError =>
  new WrongNodeError(nodeUuid, `this upload is with management node ${nodeUuid}`)

export const wrongOffset = (given: number, actual: number): ApiError =>
  new ApiError('SYS.1006', `Upload-Offset is ${given}, but the offset of the upload is ${actual}`)

export const takenOver = (): ApiError =>
  new ApiError('SYS.1006', 'a newer request has taken over this upload; the bytes that arrived are kept')

export const connectionClosed = (): ApiError =>
  new ApiError('SYS.1007', 'the connection closed before the slice ended; the bytes that arrived are kept')

export const sliceTooLarge = (maxBytes: number): ApiError =>
  new ApiError('SYS.1007', `a slice may have ${maxBytes} bytes at most`, { status: 413 })

export const pastTheEnd = (size: number): ApiError =>
  new ApiError('SYS.1007', `the slice exceeds the upload, which has ${size} bytes`, { status: 413 })

export const packageTooLarge = (maxBytes: number): ApiError =>
  new ApiError(
    'SYS.1007',
    `a package may have ${maxBytes} bytes at most (WHARF_MAX_PACKAGE_BYTES); make it smaller, or raise the limit`,
    { status: 413 },
  )

export const sliceMismatch = (algorithm: string): ApiError =>
  new ApiError('SYS.1007', `the ${algorithm} of the slice does not match Upload-Checksum; no byte of it was kept`, {
    // the status of tus for it
    status: 460,
  })

export const terminated = (): ApiError => new ApiError('SYS.1017', 'the upload was terminated by its client')

export const expired = (hours: number): ApiError =>
  new ApiError(
    'SoftwarePackage.1133',
    `the upload has ended because no slice arrived for ${hours} hours; upload the package again`,
  )

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
  new ApiError('SoftwarePackage.1121', 'the spool of this node has not enough free space; no byte of it was kept', {
    cause,
  })

export const notOnDisk = (cause: unknown): ApiError =>
  isDiskFull(cause)
    ? noSpace(cause)
    : new ApiError(
        'SYS.1016',
        `the upload could not be written to the disk of this node: ${reasonOf(cause)}; no byte of it was kept, send it again`,
        { cause },
      )

export const shuttingDown = (): ApiError =>
  new ApiError('SYS.1010', 'this node is shutting down; the bytes that arrived are kept', { retryAfterSeconds: 1 })

/** The failure of a write to the spool, as the client receives it. */
export function writeFailure(error: unknown): unknown {
  if (isDiskFull(error)) return noSpace(error)
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error
  return new ApiError('SYS.1016', `the spool of this node cannot be used: ${reasonOf(error)}`, { cause: error })
}
