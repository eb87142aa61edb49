import type { Cli } from './cli.ts'
import { Profiles } from './settings/profiles.ts'

/** Account, user, role and scope of the caller, from the server. */
export async function identityOf(cli: Cli) {
  const { inventory } = await (await cli.wharf()).identity.caller()
  const { accountName: account, userName: user, role, scope, accountUuid, userUuid } = inventory
  return { account, user, role, scope, accountUuid, userUuid }
}

/** The identity that a login stored, for when the server is unreachable. */
export function storedIdentityOf({ io, connection: { profile = '', credentialFrom } }: Cli) {
  const isFromProfile = credentialFrom === `profile ${profile}`
  const { accountUuid = null, userUuid = null } = (isFromProfile && new Profiles(io).get(profile)) || {}
  return { account: null, user: null, role: null, scope: null, accountUuid, userUuid }
}

/** The sources of the address and the credential, without secrets. */
export function sourcesOf({ connection }: Cli) {
  const { credential, credentialFrom = null, url, urlFrom, profile = null } = connection
  const { accessKeyId = null, session } = credential
  const kind = accessKeyId !== null ? 'access key' : session !== undefined ? 'session' : null
  return { credential: kind, credentialFrom, accessKeyId, url, urlFrom, profile }
}
