import { ApiError } from '@wharf/platform/api-error.ts'

export const alreadyExists = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} already exists on ${storage}; choose another path, or delete what is there`)

/** Of two concurrent uploads of a file, the later one removes the parts of the earlier one. */
export const supersededUpload = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} is being written to ${storage} by another upload, which began later`)
