import type { KeyScheme, Role } from '@wharf/contract'
import type { CallerScope } from '@wharf/database/scope-conditions.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'

/** What an access key may do less than its user, besides its scope. They are chosen when it is created and never change. */
export interface KeyLimits {
  /** Null for the role of its user. */
  readonly role: Role | null
  /** Operations and groups; empty for all. */
  readonly operations: readonly string[]
  /** Empty for all. */
  readonly allowedCidrs: readonly Cidr[]
  readonly schemes: readonly KeyScheme[]
  /** Null for never. */
  readonly expiresDate: number | null
}

/** How a caller proved who it is; what is checked again while the call lasts. */
export type Credential =
  | { kind: 'session'; hash: string }
  /** The hash of the secret distinguishes the key from a later one with the same id. */
  | {
      kind: 'key'
      id: string
      uuid: string
      secretHash: string
      limits: KeyLimits
      /** Its own, in addition to that of its user. */
      scope: readonly string[]
    }
  | { kind: 'none' }

export interface Caller {
  readonly accountUuid: string
  readonly userUuid: string
  readonly userName: string
  readonly role: Role
  /** The hosts that the user and the key are limited to; undefined: no limit. */
  readonly scope: CallerScope | undefined
  readonly credential: Credential
}

/** A caller of a public operation, or one with a job's token instead of a credential. */
export const anonymousCaller: Caller = {
  accountUuid: '',
  userUuid: '',
  userName: '',
  role: 'reader',
  scope: undefined,
  credential: { kind: 'none' },
}
