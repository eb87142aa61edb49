import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { CommandError } from '../errors.ts'
import { forEachName } from '../for-each-name.ts'
import { identityOf, sourcesOf, storedIdentityOf } from '../identity.ts'
import { Profiles } from '../settings/profiles.ts'
import { deleteVerbs } from '../verbs.ts'

const named = { '<name>': { help: 'profile name', names: 'profiles' } } as const

function describeProfile(profiles: Profiles, name: string) {
  const { accessKeyId, session } = profiles.credentialOf(name) ?? {}
  const { url, accountUuid, userUuid, caFile } = profiles.get(name) ?? {}
  const credential = accessKeyId !== undefined ? `access key ${accessKeyId}` : session !== undefined ? 'session' : null
  return { name, isCurrent: profiles.current === name, url, credential, accountUuid, userUuid, caFile }
}

function requireProfile(cli: Cli, name: string): Profiles {
  const profiles = new Profiles(cli.io)
  if (profiles.get(name) === undefined)
    throw new CommandError(`no profile ${name}`, 'list the profiles with wharf profile list')
  return profiles
}

async function knownIdentity(cli: Cli) {
  if (cli.connection.credentialFrom === undefined) {
    cli.info('Not signed in. Sign in with wharf login.')
    return storedIdentityOf(cli)
  }
  try {
    return await identityOf(cli)
  } catch (error) {
    if (error instanceof CommandError) throw error
    cli.info(`Account, user and role are unknown: ${(error as Error).message}`)
    return storedIdentityOf(cli)
  }
}

export const profile: GroupSpec = {
  name: 'profile',
  summary: 'Manage profiles: servers and credentials',
  commands: [
    command({
      name: 'list',
      summary: 'List profiles',
      examples: ['profile list'],
      async run(cli) {
        const profiles = new Profiles(cli.io)
        const rows = profiles.names.map((name) => describeProfile(profiles, name))
        cli.out.list(
          rows.map((row) => (cli.out.isTable ? { ...row, current: row.isCurrent ? '*' : '' } : row)),
          ['name', 'current', 'url', 'credential'],
        )
        if (rows.length === 0) cli.info('No profiles. Create one with wharf login.')
      },
    }),
    command({
      name: 'show',
      summary: 'Show the selected server, the identity and their sources',
      more: 'Queries the server for account, user and role; shows the rest without it.',
      examples: ['profile show', 'profile show --profile prod'],
      async run(cli) {
        cli.out.record({ ...(await knownIdentity(cli)), ...sourcesOf(cli) })
      },
    }),
    command({
      name: 'use',
      summary: 'Make a profile the current one',
      arguments: named,
      examples: ['profile use prod'],
      async run(cli, { name }) {
        requireProfile(cli, name).use(name)
        cli.report(`Switched to profile ${name}.`, { profile: name, isCurrent: true })
      },
    }),
    command({
      ...deleteVerbs('delete'),
      summary: 'Delete a profile and its credential',
      arguments: { '<name...>': { help: 'profile names', names: 'profiles' } },
      examples: ['profile delete prod', 'profile delete prod staging'],
      run: (cli, { name: names }) =>
        forEachName(cli, names, {
          find: async (name) => ({ name, profiles: requireProfile(cli, name) }),
          async act({ name, profiles }) {
            profiles.remove(name)
            return { message: `Deleted profile ${name}.`, data: { profile: name, removed: true } }
          },
        }),
    }),
  ],
}
