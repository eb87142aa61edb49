import { ApiError } from '@wharf/platform/api-error.ts'

/** Nothing is overwritten. */
export const existsAlready = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} exists already on ${storage}`)

/** Of two that write the same file at once, the later one clears away what the earlier one has. */
export const overtaken = (path: string, storage: string): ApiError =>
  new ApiError('SYS.1002', `${path} is being written to ${storage} by another upload, which began later`)
