import type { SecondFactorChallenge } from './second-factor-challenge.ts'

/**
 * The closed catalogue: every failure of the API is one of these codes, and a code has one status.
 * (405, 413 and 415 are the transport's own words for an invalid argument and share SYS.1007.)
 */
export const errorCatalogue = {
  'SYS.1000': { status: 500, description: 'internal error' },
  'SYS.1001': { status: 504, description: 'operation timed out' },
  'SYS.1002': { status: 409, description: 'cannot create the resource' },
  'SYS.1003': { status: 404, description: 'resource not found' },
  'SYS.1004': { status: 409, description: 'cannot delete the resource' },
  'SYS.1005': { status: 409, description: 'the resource is in the wrong state' },
  'SYS.1006': { status: 409, description: 'operation refused' },
  'SYS.1007': { status: 400, description: 'invalid argument' },
  'SYS.1010': { status: 503, description: 'service not ready' },
  'SYS.1012': { status: 502, description: 'management node unavailable' },
  'SYS.1014': { status: 400, description: 'not supported' },
  'SYS.1015': { status: 502, description: 'HTTP request failed' },
  'SYS.1016': { status: 502, description: 'input or output failed' },
  'SYS.1017': { status: 409, description: 'operation cancelled' },
  'SYS.1018': { status: 500, description: 'the database is damaged' },
  'ID.1000': { status: 401, description: 'authentication failed' },
  'ID.1001': { status: 401, description: 'not signed in' },
  'ID.1002': { status: 403, description: 'permission denied' },
  'ID.1003': { status: 429, description: 'too many failed attempts' },
  'ID.1006': { status: 409, description: 'identity limit reached' },
  'ID.1007': { status: 401, description: 'second factor required' },
  'JOB.1001': { status: 409, description: 'the job cannot be cancelled' },
  'JOB.1002': { status: 409, description: 'idempotency key reused' },
  'HOST.1000': { status: 502, description: 'cannot add the host' },
  'HOST.1003': { status: 502, description: 'no connection to the host' },
  'HOST.1004': { status: 502, description: 'the host key has changed' },
  'HOST.1005': { status: 502, description: 'the host refused the sign-in' },
  'HOST.1010': { status: 502, description: 'the host is disconnected' },
  'BS.1003': { status: 502, description: 'the backup storage is disconnected' },
  'BS.1500': { status: 502, description: 'the backup storage failed' },
  'SoftwarePackage.1000': { status: 500, description: 'software package error' },
  'SoftwarePackage.1101': { status: 400, description: 'the package type cannot be installed here' },
  'SoftwarePackage.1121': { status: 507, description: 'not enough space' },
  'SoftwarePackage.1122': { status: 409, description: 'no usable backup storage' },
  'SoftwarePackage.1131': { status: 400, description: 'path refused' },
  'SoftwarePackage.1132': { status: 400, description: 'package refused' },
  'SoftwarePackage.1133': { status: 410, description: 'the upload has ended' },
  'SoftwarePackage.1300': { status: 502, description: 'a command on the host failed' },
  'SoftwarePackage.1310': { status: 502, description: 'RollbackFailed: the earlier version could not be restored' },
  'SoftwarePackage.1901': { status: 409, description: 'the operation was interrupted' },
  'ClusterPlugin.1001': { status: 409, description: 'the component refused the token' },
  'ClusterPlugin.1002': { status: 502, description: 'cluster initialisation failed' },
  'ClusterPlugin.1003': { status: 502, description: 'the nodes cannot reach each other' },
  'SNS.1001': { status: 502, description: 'delivery failed' },
  'MIGRATE.1001': { status: 502, description: 'the hypervisor failed' },
} as const satisfies Record<string, { status: number; description: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** Errors of every operation; an operation lists only further ones. */
export const commonErrors = [
  'SYS.1000',
  'SYS.1007',
  'SYS.1010',
  'SYS.1014',
  'SYS.1018',
  'ID.1000',
  'ID.1001',
  'ID.1002',
  'ID.1003',
] as const satisfies readonly ErrorCode[]

/**
 * Errors of every job: its deadline passed, it was cancelled, or it was not queued because the user has too many. Job
 * operations do not list them.
 */
export const jobErrors = ['SYS.1001', 'SYS.1006', 'SYS.1017'] as const satisfies readonly ErrorCode[]

/** Errors of operations that connect to a host. */
export const hostErrors = ['HOST.1003', 'HOST.1004', 'HOST.1005', 'HOST.1010'] as const satisfies readonly ErrorCode[]

/** Errors of operations that connect to a backup storage. */
export const storageErrors = ['BS.1003', 'BS.1500'] as const satisfies readonly ErrorCode[]

/** `error` of a failed answer in JSON. */
export interface WireError {
  code: ErrorCode
  description: string
  details: string
  elaboration: null
  /** The challenge of ID.1007; null with every other code. */
  opaque: { readonly secondFactor: SecondFactorChallenge } | null
  cause: WireError | null
}
