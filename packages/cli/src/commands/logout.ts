import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { currentProfileName, findConnection } from '../settings/connection.ts'
import { Profiles } from '../settings/profiles.ts'

export const logout = command({
  name: 'logout',
  summary: 'End the session of a profile and delete its credential',
  more: 'Keeps the profile. While it has no credential, no other credential is used for its server, including the admin key in the local bootstrap.json. An access key stays valid on the server; revoke it with wharf key delete.',
  examples: ['logout', 'logout --profile prod'],
  async run(cli) {
    const profiles = new Profiles(cli.io)
    const name = cli.flags.profile ?? currentProfileName(cli.io)
    const credential = name === undefined ? undefined : profiles.credentialOf(name)
    const signedOut = name !== undefined && credential !== undefined ? name : stopUsingBootstrap(cli, profiles)
    if (signedOut === undefined) cli.info('Not signed in.')
    else {
      if (credential?.session !== undefined) await endSession(cli, profiles.get(signedOut)?.url, credential.session)
      profiles.dropCredential(signedOut)
      cli.info(`Signed out of profile ${signedOut}.`)
    }
    const remaining = remainingCredential(cli)
    if (remaining !== undefined) cli.info(`${remaining} still provides a credential.`)
    if (!cli.out.isTable) cli.out.record({ profile: signedOut ?? name ?? null, signedOut: signedOut !== undefined })
  },
})

/** A profile without a credential records that the user signed out. */
function stopUsingBootstrap({ io, flags }: Cli, profiles: Profiles): string | undefined {
  if (flags.profile !== undefined || profiles.current !== undefined) return undefined
  const { url, urlFrom, credentialFrom } = findConnection(io, flags)
  if (!urlFrom.endsWith('bootstrap.json') || credentialFrom !== urlFrom) return undefined
  profiles.save('default', { url }, undefined)
  return 'default'
}

/** Without the server, the session expires later. */
async function endSession(cli: Cli, url: string | undefined, session: string): Promise<void> {
  if (url === undefined) return
  const server = await cli.connect(url)
  await server.sessions.logOut(session).catch((error: Error) => cli.info(error.message))
}

function remainingCredential({ io, flags }: Cli): string | undefined {
  try {
    return findConnection(io, { url: flags.url }).credentialFrom
  } catch {
    return undefined
  }
}
