import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { type Claims, hasAllClaims } from './claim-rules.ts'
import type { ProviderClient } from './provider-clients.ts'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/**
 * The claims of the ID token; those that it lacks are read from the userinfo endpoint, where providers keep long lists such as groups.
 * Undefined when a refresh returned neither.
 */
export async function readClaims(
  { provider, configuration }: ProviderClient,
  tokens: Tokens,
  subject: string,
): Promise<Claims | undefined> {
  const ofToken: Claims | undefined = tokens.claims()
  if (ofToken !== undefined && hasAllClaims(provider.rules, ofToken)) return ofToken
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return ofToken
  const { fetchUserInfo } = await import('openid-client')
  const more: Claims = await fetchUserInfo(configuration, tokens.access_token, subject)
  return { ...more, ...ofToken }
}
