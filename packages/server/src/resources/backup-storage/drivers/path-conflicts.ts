import { ApiError } from '@wharf/platform/api-error.ts'

export const existsAlready = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} exists already on ${storage}; choose another path, or delete what is there`)

/** Of two concurrent uploads of a file, the later one removes the parts of the earlier one. */
export const overtaken = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} is being written to ${storage} by another upload, which began later`)
