import type { Wharf } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { currentProfileName, findConnection } from '../settings/connection.ts'
import { Profiles, type StoredCredential } from '../settings/profiles.ts'

export const logout = command({
  name: 'logout',
  summary: 'End the session of a profile and delete its credential',
  more: 'Deletes the access key on the server if wharf login created it; another one stays valid, revoke it with wharf key delete. Keeps the profile. While it has no credential, no other credential is used for its server, including the admin key in the local bootstrap.json.',
  examples: ['logout', 'logout --profile prod'],
  async run(cli) {
    const profiles = new Profiles(cli.io)
    const name = cli.flags.profile ?? currentProfileName(cli.io)
    const credential = name === undefined ? undefined : profiles.credentialOf(name)
    const signedOut = name !== undefined && credential !== undefined ? name : stopUsingBootstrap(cli, profiles)
    if (signedOut === undefined) cli.info('Not signed in.')
    else {
      if (credential !== undefined) await endCredential(cli, profiles.get(signedOut)?.url, credential)
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

/** Without the server, a session expires later, and a key stays valid. */
async function endCredential(cli: Cli, url: string | undefined, credential: StoredCredential): Promise<void> {
  if (url === undefined) return
  const { session, isFromLogin, accessKeyId } = credential
  const server = await cli.connect(url, credential)
  if (session !== undefined) await server.sessions.logOut(session).catch((error: Error) => cli.info(error.message))
  else if (isFromLogin)
    await deleteKey(server, credential).catch(({ message }: Error) =>
      // not by info: also with --quiet, because the key is a credential of which no copy is left here
      cli.io.stderr.write(
        `${message}\nAccess key ${accessKeyId} stays valid; revoke it in the console or with wharf key delete ${accessKeyId}.\n`,
      ),
    )
}

async function deleteKey({ accessKeys }: Wharf, { accessKeyId }: StoredCredential): Promise<void> {
  const { inventories = [] } = await accessKeys.query({ q: [`AccessKeyID=${accessKeyId}`] })
  for (const { uuid = '' } of inventories) await accessKeys.delete(uuid)
}

function remainingCredential({ io, flags }: Cli): string | undefined {
  try {
    return findConnection(io, { url: flags.url }).credentialFrom
  } catch {
    return undefined
  }
}
