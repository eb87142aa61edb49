import { WharfError } from '@wharf/sdk'

/** The address leads to nothing, or to nothing any more. */
export const isNotFound = (error: unknown): boolean => error instanceof WharfError && error.status === 404
