import type { Cli } from '../cli.ts'
import { command, type GroupSpec } from '../command.ts'
import { identityOf, sourcesOf, storedIdentityOf } from '../identity.ts'
import { Refusal } from '../refusals.ts'
import { Profiles } from '../settings/profiles.ts'

const named = { '<name>': { help: 'the name of a profile' } } as const

function described(profiles: Profiles, name: string) {
  const { accessKeyId, session } = profiles.credentialOf(name) ?? {}
  const { url, accountUuid, userUuid, caFile } = profiles.get(name) ?? {}
  const credential = accessKeyId !== undefined ? `access key ${accessKeyId}` : session !== undefined ? 'session' : null
  return { name, isCurrent: profiles.current === name, url, credential, accountUuid, userUuid, caFile }
}

function existing(cli: Cli, name: string): Profiles {
  const profiles = new Profiles(cli.io)
  if (profiles.get(name) === undefined)
    throw new Refusal(`there is no profile ${name}`, 'wharf profile list shows them')
  return profiles
}

async function knownIdentity(cli: Cli) {
  if (cli.connection.credentialFrom === undefined) {
    cli.say('Not signed in: wharf login signs in.')
    return storedIdentityOf(cli)
  }
  try {
    return await identityOf(cli)
  } catch (error) {
    if (error instanceof Refusal) throw error
    cli.say(`Account, user and role are not known: ${(error as Error).message}`)
    return storedIdentityOf(cli)
  }
}

export const profile: GroupSpec = {
  name: 'profile',
  summary: 'The servers that you sign in to',
  commands: [
    command({
      name: 'list',
      summary: 'List the profiles',
      examples: ['profile list'],
      async run(cli) {
        const profiles = new Profiles(cli.io)
        const rows = profiles.names.map((name) => described(profiles, name))
        cli.out.list(
          rows.map((row) => (cli.out.form === 'table' ? { ...row, current: row.isCurrent ? '*' : '' } : row)),
          ['name', 'current', 'url', 'credential'],
        )
        if (rows.length === 0) cli.say('There are no profiles: wharf login makes one.')
      },
    }),
    command({
      name: 'show',
      summary: 'Show which server is used, as whom, and why',
      more: 'Account, user and role are those that the server reports; without it, the rest is shown.',
      examples: ['profile show', 'profile show --profile prod'],
      async run(cli) {
        cli.out.record({ ...(await knownIdentity(cli)), ...sourcesOf(cli) })
      },
    }),
    command({
      name: 'use',
      summary: 'Use a profile from now on',
      arguments: named,
      examples: ['profile use prod'],
      async run(cli, { name }) {
        existing(cli, name).use(name)
        cli.say(`Profile ${name} is used from now on.`)
        if (cli.out.form !== 'table') cli.out.record({ profile: name, isCurrent: true })
      },
    }),
    command({
      name: 'remove',
      summary: 'Forget a profile and its credential',
      arguments: named,
      examples: ['profile remove prod'],
      async run(cli, { name }) {
        existing(cli, name).remove(name)
        cli.say(`Profile ${name} is forgotten.`)
        if (cli.out.form !== 'table') cli.out.record({ profile: name, removed: true })
      },
    }),
  ],
}
