import type { Role } from '@wharf/contract'

/** How a caller proved who it is; what is checked again while the call lasts. */
export type Credential =
  | { kind: 'session'; hash: string }
  /** The encrypted secret distinguishes the key from a later one with the same id. */
  | { kind: 'key'; id: string; sealedSecret: string }
  | { kind: 'none' }

export interface Caller {
  readonly accountUuid: string
  readonly userUuid: string
  readonly userName: string
  readonly role: Role
  readonly credential: Credential
}

/** A caller of a public operation, or one with a job's token instead of a credential. */
export const anonymousCaller: Caller = {
  accountUuid: '',
  userUuid: '',
  userName: '',
  role: 'reader',
  credential: { kind: 'none' },
}
