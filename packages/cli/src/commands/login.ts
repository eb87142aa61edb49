import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { DeviceKey, SignatureScheme } from '@wharf/sdk'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { createAccessKey } from '../create-access-key.ts'
import { CommandError, UsageError } from '../errors.ts'
import { recoveryCodesText, withSecondFactor } from '../second-factor.ts'
import { currentProfileName, findConnection, storedCaFile } from '../settings/connection.ts'
import { type Profile, Profiles, type StoredCredential } from '../settings/profiles.ts'
import { userAgent } from '../version.ts'

export const login = command({
  name: 'login',
  summary: 'Sign in and store the credential in a profile',
  more: 'Without options for a password or a key, opens the console in the browser, where you confirm a code; without a browser here, prints the address and the code for any other machine. This creates an access key that is valid for 90 days. A password creates a session, which expires after two hours without use, at the latest after a day; with --create-key an access key, which does not expire. --access-key-id stores an existing access key.',
  options: {
    '--account <name>': {
      help: 'sign in with the password of this account (default with other password options: admin)',
    },
    '--user <name>': { help: 'user of the account' },
    '--password-stdin': { help: 'read the password or the secret from stdin' },
    '--access-key-id <id>': { help: 'existing access key; prompts for its secret' },
    '--private-key <file>': { help: 'private key in PEM of an access key that has a public key' },
    '--create-key': { help: 'create an access key instead of a session' },
    '--role <role>': { help: 'role that the page in the browser suggests', choices: ['reader', 'operator', 'admin'] },
    '--no-browser': { help: 'print the address and the code, and open no browser' },
    '--as <profile>': { help: 'profile name (default: the current profile, else "default")' },
  },
  examples: [
    'login --url https://wharf.example.com',
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
  readonly account?: string
  readonly user?: string
  readonly passwordStdin?: boolean
  readonly accessKeyId?: string
  readonly privateKey?: string
  readonly createKey?: boolean
  readonly role?: string
  readonly browser?: boolean
}

async function signIn(cli: Cli, url: string, options: LoginOptions): Promise<SignedIn> {
  const { account, user, accessKeyId, privateKey, passwordStdin, createKey } = options
  const isByDevice = [account, user, accessKeyId, privateKey, passwordStdin, createKey].every(
    (one) => one === undefined,
  )
  const signedIn = isByDevice ? await byDevice(cli, url, options) : undefined
  if (signedIn !== undefined) return signedIn
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
  { account = 'admin', user, createKey }: LoginOptions,
): Promise<SignedIn> {
  const anonymous = await cli.connect(url)
  const { sessions } = anonymous
  const { answer, isEnrolled } = await withSecondFactor(cli, (secondFactor) =>
    user === undefined
      ? sessions.logInByAccount({ accountName: account, password, secondFactor })
      : sessions.logInByUser({ accountName: account, userName: user, password, secondFactor }),
  )
  const { uuid: session, accountUuid, userUuid } = answer.inventory
  if (isEnrolled) {
    const { secondFactors } = await cli.connect(url, { session })
    const { recoveryCodes } = await secondFactors.createRecoveryCodes({ password })
    cli.io.stderr.write(recoveryCodesText(recoveryCodes))
  }
  const profile = { url: anonymous.url, accountUuid, userUuid }
  if (!createKey) return { profile, credential: { session } }
  const wharf = await cli.connect(url, { session })
  const key = await createAccessKey(cli, wharf, { accountUuid, userUuid, description: 'created by wharf login' })
  await wharf.sessions.logOut(session)
  // a server of version 1.0 reports no schemes
  const scheme = key.schemes?.includes('rfc9421') ? 'rfc9421' : 'service'
  const { AccessKeyID: accessKeyId, AccessKeySecret } = key
  return { profile, credential: { accessKeyId, accessKeySecret: AccessKeySecret ?? '', scheme, isFromLogin: true } }
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

/** Confirmed in the console, on any machine; undefined if the server does not support it. */
async function byDevice(cli: Cli, url: string, { role, browser }: LoginOptions): Promise<SignedIn | undefined> {
  const anonymous = await cli.connect(url)
  const { DeviceLoginError, signInByDevice } = await import('@wharf/sdk')
  let key: DeviceKey
  try {
    key = await signInByDevice({
      url: anonymous.url,
      userAgent,
      clientName: hostname(),
      role: role as 'reader' | undefined,
      onCode: ({ userCode, verificationUriComplete }) => {
        // not by info: without it nobody can sign in, also with --quiet
        cli.io.stderr.write(`Confirm the code ${userCode} at\n  ${verificationUriComplete}\n`)
        if (browser !== false && cli.io.stderr.isTTY) void cli.io.openUrl(verificationUriComplete)
      },
    })
  } catch (error) {
    if (!(error instanceof DeviceLoginError)) throw error
    if (error.code === 'not_supported') return undefined
    throw new CommandError(
      error.message,
      'run wharf login again, or sign in with a password: wharf login --account NAME',
    )
  }
  const { accessKeyId, accessKeySecret, accountUuid, userUuid } = key
  const credential = { accessKeyId, accessKeySecret, scheme: 'rfc9421', isFromLogin: true } as const
  return { profile: { url: anonymous.url, accountUuid, userUuid }, credential }
}
