import { resolve } from 'node:path'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { makeKey } from '../new-key.ts'
import { Refusal, UsageError } from '../refusals.ts'
import { findConnection, nameInUse, storedCaFile } from '../settings/connection.ts'
import { type Profile, Profiles, type StoredCredential } from '../settings/profiles.ts'

export const login = command({
  name: 'login',
  summary: 'Sign in and remember it as a profile',
  more: 'With a password you get a session, which ends after two hours without use and after a day at the latest. With --create-key it is used at once to make an access key, which lasts. An access key that you have is kept as it is.',
  options: {
    '--account <name>': { help: 'the account', default: 'admin' },
    '--user <name>': { help: 'a user of that account' },
    '--password-stdin': { help: 'read the password, or the secret of the key, from standard input' },
    '--access-key-id <id>': { help: 'an access key; its secret is asked for' },
    '--create-key': { help: 'make an access key and keep that instead of a session' },
    '--as <profile>': { help: 'the name of the profile; default, or the one that is used, when absent' },
  },
  examples: [
    'login --url https://wharf.example.com --account ops',
    'login --url https://wharf.example.com --as prod --create-key',
    'login --access-key-id 2f6b9c0d1e --password-stdin < secret',
  ],
  async run(cli, _, options) {
    const profiles = new Profiles(cli.io)
    const asked = options.as ?? cli.flags.profile
    const name = asked ?? nameInUse(cli.io) ?? 'default'
    const url = addressFor(cli, asked === undefined ? undefined : profiles.get(asked))
    const { accessKeyId: id } = options
    const what = id === undefined ? 'Password' : 'Secret of the key'
    const secret = await secretFrom(cli, what, options.passwordStdin)
    const { profile, credential } =
      id === undefined ? await byPassword(cli, url, secret, options) : await byKey(cli, url, { id, secret })
    const { caFile } = cli.flags
    const trusted = caFile === undefined ? storedCaFile(cli.io, url) : resolve(caFile)
    profiles.save(name, { ...profile, caFile: trusted }, credential)
    // whoever signs in wants to work there
    if (cli.flags.profile === undefined) profiles.use(name)
    cli.say(`Signed in at ${profile.url}; remembered as profile ${name}.`)
    const { accessKeyId, session } = credential
    const kept = accessKeyId === undefined ? { session: session !== undefined } : { accessKeyId }
    if (cli.out.form !== 'table') cli.out.record({ profile: name, url: profile.url, ...kept })
  },
})

/** The profile that is named is about to be made, so it need not exist. */
function addressFor({ io, flags }: Cli, named: Profile | undefined): string {
  return flags.url ?? named?.url ?? findConnection(io, { ...flags, profile: undefined }).url
}

async function secretFrom(cli: Cli, what: string, fromInput: boolean | undefined): Promise<string> {
  const text = fromInput
    ? (await cli.io.readInput()).replace(/\r?\n$/, '')
    : await cli.io.ask(`${what}: `, { hidden: true })
  if (text === undefined)
    throw new UsageError('cannot prompt: stdin is not a terminal', 'give the secret by --password-stdin')
  if (text === '') throw new Refusal('it is empty')
  return text
}

interface SignedIn {
  readonly profile: Profile
  readonly credential: StoredCredential
}

async function byPassword(
  cli: Cli,
  url: string,
  password: string,
  { account, user, createKey }: { account: string; user?: string; createKey?: boolean },
): Promise<SignedIn> {
  const nobody = await cli.connect(url)
  const { inventory } =
    user === undefined
      ? await nobody.sessions.logInByAccount({ accountName: account, password })
      : await nobody.sessions.logInByUser({ accountName: account, userName: user, password })
  const { uuid: session, accountUuid, userUuid } = inventory
  const profile = { url: nobody.url, accountUuid, userUuid }
  if (!createKey) return { profile, credential: { session } }
  const wharf = await cli.connect(url, { session })
  const key = await makeKey(cli, wharf, { accountUuid, userUuid, description: 'made by wharf login' })
  await wharf.sessions.logOut(session)
  return { profile, credential: { accessKeyId: key.AccessKeyID, accessKeySecret: key.AccessKeySecret } }
}

/** Also tries it: a key that does not work is not stored. */
async function byKey(cli: Cli, url: string, key: { id: string; secret: string }): Promise<SignedIn> {
  const credential = { accessKeyId: key.id, accessKeySecret: key.secret }
  const wharf = await cli.connect(url, credential)
  const { accountUuid, userUuid } = (await wharf.identity.caller()).inventory
  return { profile: { url: wharf.url, accountUuid, userUuid }, credential }
}
