import type { OidcRule } from './provider-file.ts'

/** What a provider states about a user. */
export type Claims = Readonly<Record<string, unknown>>

/** The first rule that applies: its claim is the value, or a list that contains it. */
export const matchingRule = (rules: readonly OidcRule[], claims: Claims): OidcRule | undefined =>
  rules.find(
    ({ claim, value }) => Object.hasOwn(claims, claim) && [claims[claim]].flat().some((one) => isValue(one, value)),
  )

const isValue = (claimed: unknown, value: string): boolean =>
  typeof claimed === 'string' || typeof claimed === 'number' || typeof claimed === 'boolean'
    ? String(claimed) === value
    : false

/** Whether the claims suffice to evaluate every rule; those that are missing may be at the userinfo endpoint. */
export const hasAllClaims = (rules: readonly OidcRule[], claims: Claims): boolean =>
  rules.every(({ claim }) => Object.hasOwn(claims, claim))

const maxName = 200

/** The name of a new user. It identifies nobody: issuer and subject do. */
export function userNameOf(claims: Claims, subject: string): string {
  const given = [claims.preferred_username, claims.email, claims.name].find(
    (name): name is string => typeof name === 'string' && cleaned(name) !== '',
  )
  return cleaned(given ?? subject)
}

const cleaned = (name: string): string => name.replaceAll(/\p{C}/gu, '').trim().slice(0, maxName).toWellFormed()
