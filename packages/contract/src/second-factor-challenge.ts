/** `error.opaque.secondFactor` of ID.1007. */
export interface SecondFactorChallenge {
  /** What the user can prove; empty for a user who has to enrol first. */
  readonly factors: readonly ('authenticator' | 'recoveryCode' | 'passkey')[]
  /** The options of `navigator.credentials.get`, for a user with passkeys. */
  readonly passkey: object | null
  /** For a user who must have a factor and has none: the same call with a code of this secret enrols it. */
  readonly enrolment: { readonly secret: string; readonly uri: string } | null
}
