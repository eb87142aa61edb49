import { resolve } from 'node:path'
import type { SignatureScheme } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { createAccessKey } from '../create-access-key.ts'
import { CommandError, UsageError } from '../errors.ts'
import { currentProfileName, findConnection, storedCaFile } from '../settings/connection.ts'
import { type Profile, Profiles, type StoredCredential } from '../settings/profiles.ts'

export const login = command({
  name: 'login',
  summary: 'Sign in and store the credential in a profile',
  more: 'A password creates a session, which expires after two hours without use, at the latest after a day. --create-key creates an access key instead, which does not expire. --access-key-id stores an existing access key.',
  options: {
    '--account <name>': { help: 'account name', default: 'admin' },
    '--user <name>': { help: 'user of the account' },
    '--password-stdin': { help: 'read the password or the secret from stdin' },
    '--access-key-id <id>': { help: 'existing access key; prompts for its secret' },
    '--private-key <file>': { help: 'private key in PEM of an access key that has a public key' },
    '--create-key': { help: 'create an access key instead of a session' },
    '--as <profile>': { help: 'profile name (default: the current profile, else "default")' },
  },
  examples: [
    'login --url https://wharf.example.com --account ops',
    'login --url https://wharf.example.com --as prod --create-key',
    'login --access-key-id 2f6b9c0d1e --password-stdin < secret',
    'login --access-key-id 2f6b9c0d1e --private-key key.pem',
  ],
  async run(cli, _, options) {
    const profiles = new Profiles(cli.io)
    const requested = options.as ?? cli.flags.profile
    const name = requested ?? currentProfileName(cli.io) ?? 'default'
    const url = addressFor(cli, requested === undefined ? undefined : profiles.get(requested))
    const { profile, credential } = await signIn(cli, url, options)
    const { caFile } = cli.flags
    const trusted = caFile === undefined ? storedCaFile(cli.io, url) : resolve(caFile)
    profiles.save(name, { ...profile, caFile: trusted }, credential)
    // later commands use this profile
    if (cli.flags.profile === undefined) profiles.use(name)
    const { accessKeyId, session } = credential
    const stored = accessKeyId === undefined ? { session: session !== undefined } : { accessKeyId }
    const message = `Signed in at ${profile.url}; stored as profile ${name}.`
    cli.report(message, { profile: name, url: profile.url, ...stored })
  },
})

/** The named profile need not exist yet. */
function addressFor({ io, flags }: Cli, named: Profile | undefined): string {
  return flags.url ?? named?.url ?? findConnection(io, { ...flags, profile: undefined }).url
}

async function readPromptedSecret(cli: Cli, label: string, fromInput: boolean | undefined): Promise<string> {
  const text = fromInput
    ? (await cli.io.readInput()).replace(/\r?\n$/, '')
    : await cli.io.prompt(`${label}: `, { hidden: true })
  if (text === undefined)
    throw new UsageError('cannot prompt: stdin is not a terminal', 'pass the secret with --password-stdin')
  if (text === '') throw new CommandError(`${label.toLowerCase()} is empty`)
  return text
}

interface LoginOptions {
  readonly account: string
  readonly user?: string
  readonly passwordStdin?: boolean
  readonly accessKeyId?: string
  readonly privateKey?: string
  readonly createKey?: boolean
}

async function signIn(cli: Cli, url: string, options: LoginOptions): Promise<SignedIn> {
  const { accessKeyId, privateKey, passwordStdin } = options
  if (privateKey !== undefined) {
    if (accessKeyId === undefined) throw new UsageError('--private-key needs --access-key-id')
    return byKey(cli, url, { accessKeyId, privateKeyFile: resolve(privateKey) })
  }
  const label = accessKeyId === undefined ? 'Password' : 'Secret of the key'
  const secret = await readPromptedSecret(cli, label, passwordStdin)
  return accessKeyId === undefined
    ? byPassword(cli, url, secret, options)
    : byKey(cli, url, { accessKeyId, accessKeySecret: secret })
}

interface SignedIn {
  readonly profile: Profile
  readonly credential: StoredCredential
}

async function byPassword(
  cli: Cli,
  url: string,
  password: string,
  { account, user, createKey }: LoginOptions,
): Promise<SignedIn> {
  const anonymous = await cli.connect(url)
  const { inventory } =
    user === undefined
      ? await anonymous.sessions.logInByAccount({ accountName: account, password })
      : await anonymous.sessions.logInByUser({ accountName: account, userName: user, password })
  const { uuid: session, accountUuid, userUuid } = inventory
  const profile = { url: anonymous.url, accountUuid, userUuid }
  if (!createKey) return { profile, credential: { session } }
  const wharf = await cli.connect(url, { session })
  const key = await createAccessKey(cli, wharf, { accountUuid, userUuid, description: 'created by wharf login' })
  await wharf.sessions.logOut(session)
  // a server of version 1.0 reports no schemes
  const scheme = key.schemes?.includes('rfc9421') ? 'rfc9421' : 'service'
  const { AccessKeyID: accessKeyId, AccessKeySecret } = key
  return { profile, credential: { accessKeyId, accessKeySecret: AccessKeySecret ?? '', scheme } }
}

/** Verifies the key before it is stored. */
async function byKey(cli: Cli, url: string, key: StoredCredential): Promise<SignedIn> {
  const verify = async (scheme: SignatureScheme): Promise<SignedIn> => {
    const credential = { ...key, scheme }
    const wharf = await cli.connect(url, credential)
    const { accountUuid, userUuid } = (await wharf.identity.caller()).inventory
    return { profile: { url: wharf.url, accountUuid, userUuid }, credential }
  }
  return verify('rfc9421').catch((error: { code?: string }) => {
    // a server of version 1.0 sees no credential
    if (error.code === 'ID.1001' && key.accessKeySecret !== undefined) return verify('service')
    throw error
  })
}
