import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { findConnection, nameInUse } from '../settings/connection.ts'
import { Profiles } from '../settings/profiles.ts'

export const logout = command({
  name: 'logout',
  summary: 'End the session of a profile and forget its credential',
  more: 'The profile itself stays: as long as it has no credential, no other one is used for its server, such as the admin key in the bootstrap.json of this machine. An access key is forgotten here and stays valid: wharf key delete ends it.',
  examples: ['logout', 'logout --profile prod'],
  async run(cli) {
    const profiles = new Profiles(cli.io)
    const name = cli.flags.profile ?? nameInUse(cli.io)
    const credential = name === undefined ? undefined : profiles.credentialOf(name)
    const signedOut = name !== undefined && credential !== undefined ? name : stopUsingBootstrap(cli, profiles)
    if (signedOut === undefined) cli.say('You are not signed in.')
    else {
      if (credential?.session !== undefined) await endSession(cli, profiles.get(signedOut)?.url, credential.session)
      profiles.dropCredential(signedOut)
      cli.say(`Signed out of profile ${signedOut}.`)
    }
    const left = stillSignedInBy(cli)
    if (left !== undefined) cli.say(`${left} still signs you in.`)
    if (cli.out.form !== 'table')
      cli.out.record({ profile: signedOut ?? name ?? null, signedOut: signedOut !== undefined })
  },
})

/** Where no profile exists yet, one without a credential records that the user has signed out. */
function stopUsingBootstrap({ io, flags }: Cli, profiles: Profiles): string | undefined {
  if (flags.profile !== undefined || profiles.current !== undefined) return undefined
  const { url, urlFrom, credentialFrom } = findConnection(io, flags)
  if (!urlFrom.endsWith('bootstrap.json') || credentialFrom !== urlFrom) return undefined
  profiles.save('default', { url }, undefined)
  return 'default'
}

/** A server that cannot be reached cannot end it; the session then expires. */
async function endSession(cli: Cli, url: string | undefined, session: string): Promise<void> {
  if (url === undefined) return
  const server = await cli.connect(url)
  await server.sessions.logOut(session).catch((error: Error) => cli.say(error.message))
}

function stillSignedInBy({ io, flags }: Cli): string | undefined {
  try {
    return findConnection(io, { url: flags.url }).credentialFrom
  } catch {
    return undefined
  }
}
