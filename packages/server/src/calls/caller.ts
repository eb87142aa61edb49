import type { Role } from '@wharf/contract'

/** How a caller proved who it is; what is checked again while the call lasts. */
export type Credential =
  | { kind: 'session'; hash: string }
  /** The sealed secret tells the key from a later one with the same id. */
  | { kind: 'key'; id: string; sealedSecret: string }
  | { kind: 'none' }

export interface Caller {
  readonly accountUuid: string
  readonly userUuid: string
  readonly role: Role
  readonly credential: Credential
}

/** Whoever calls a public operation, or shows a job's token instead of a credential. */
export const nobody: Caller = { accountUuid: '', userUuid: '', role: 'reader', credential: { kind: 'none' } }
