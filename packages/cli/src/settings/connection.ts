import { join } from 'node:path'
import { NotSignedInError, UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { readCredentialsFile } from './credentials-file.ts'
import { readJsonFile } from './json-file.ts'
import { Profiles, type StoredCredential } from './profiles.ts'

export interface ConnectionFlags {
  readonly url?: string | undefined
  readonly profile?: string | undefined
  /** A file with a credential, such as the bootstrap.json of a server. */
  readonly credentials?: string | undefined
  readonly caFile?: string | undefined
  readonly insecure?: boolean | undefined
}

/** The selected server and credential, and their sources. */
export interface Connection {
  readonly url: string
  readonly credential: StoredCredential
  readonly profile?: string | undefined
  /** For display: `profile prod`, `WHARF_URL`. */
  readonly urlFrom: string
  /** Undefined without a credential. */
  readonly credentialFrom: string | undefined
  /** The bootstrap.json of this server, if it is ignored because the user signed out. */
  readonly unusedBootstrap?: string | undefined
}

interface Source {
  readonly url?: string | undefined
  readonly credential?: StoredCredential | undefined
  readonly profile?: string
  readonly from: string
  /** The source of the address, if it differs. */
  readonly urlFrom?: string
}

interface BootstrapFile extends StoredCredential {
  readonly url?: string
}

/** Precedence: flags, environment, profile, local server. */
export function findConnection(io: Io, flags: ConnectionFlags): Connection {
  const explicit = [fromFlags(flags), ...namedProfile(io, flags.profile)]
  const [environment, current, bootstrap] = [fromEnvironment(io), currentProfile(io, flags), fromBootstrap(io)]
  const sources = [...explicit, ...environment, ...current, ...bootstrap]
  const address = sources.find(({ url }) => url !== undefined)
  if (address?.url === undefined) {
    throw new NotSignedInError(
      'no server is configured',
      'start one with npm start, or sign in: wharf login --url https://wharf.example.com',
    )
  }
  const { url } = address
  const urlFrom = address.urlFrom ?? address.from
  requireAddress(url, urlFrom)
  const isSameServer = (source: Source): boolean => equalServers(source.url ?? url, url)
  const profiles = profilesAt(io, url)
  // a profile without a credential is signed out: no other credential replaces it
  const others = current.filter(isSameServer).some(isSignedOut) ? [] : profiles
  const local = profiles.some(isSignedOut) ? [] : bootstrap
  // --profile excludes other credentials
  const candidates =
    flags.profile === undefined ? [...explicit, ...environment, ...current, ...others, ...local] : explicit
  if (flags.profile === undefined && flags.credentials === undefined) requireCompleteKey(io)
  // never send a stored credential to another server
  const match = candidates.find((source) => isComplete(source.credential) && isSameServer(source))
  return {
    url,
    credential: match?.credential ?? {},
    profile: match?.profile ?? address.profile,
    urlFrom,
    credentialFrom: match?.from,
    unusedBootstrap: match === undefined ? bootstrap.find(isSameServer)?.from : undefined,
  }
}

/** The CA file that a login at this server stored. */
export const storedCaFile = (io: Pick<Io, 'env' | 'home'>, url: string): string | undefined =>
  profilesAt(io, url)
    .map(({ profile }) => new Profiles(io).get(profile ?? '')?.caFile)
    .find((path) => path !== undefined)

function requireAddress(url: string, from: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} (${from}) is not a valid address; use an address such as https://wharf.example.com`)
}

/** An address with the API prefix and one without are the same server; two different prefixes are not. */
function equalServers(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const [prefix, otherPrefix] = [prefixOf(one), prefixOf(other)]
  return new URL(one).origin === new URL(other).origin && (prefix === otherPrefix || !prefix || !otherPrefix)
}

const prefixOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '').replace(/\/v1$/, '')

const isComplete = (credential: StoredCredential | undefined): boolean =>
  credential?.session !== undefined ||
  (credential?.accessKeyId !== undefined && (credential.accessKeySecret ?? credential.privateKeyFile) !== undefined)

const isSignedOut = ({ credential }: Source): boolean => !isComplete(credential)

function fromFlags({ url, credentials }: ConnectionFlags): Source {
  if (credentials === undefined) return { url, from: '--url' }
  const file = readCredentialsFile(credentials)
  const from = `--credentials ${credentials}`
  // --url overrides the address in the file
  return { url: url ?? file.url, credential: file.credential, from, urlFrom: url === undefined ? from : '--url' }
}

const credentialIn = ({ accessKeyId, accessKeySecret, session }: StoredCredential): StoredCredential =>
  accessKeyId === undefined ? { session } : { accessKeyId, accessKeySecret }

/** Treats an empty variable as unset. */
const nonEmpty = (value: string | undefined): string | undefined => value || undefined

function fromEnvironment({ env }: Io): Source[] {
  const accessKeyId = nonEmpty(env.WHARF_ACCESS_KEY_ID)
  const accessKeySecret = nonEmpty(env.WHARF_ACCESS_KEY_SECRET)
  return [
    { url: nonEmpty(env.WHARF_URL), from: 'WHARF_URL' },
    { credential: { accessKeyId, accessKeySecret }, from: 'WHARF_ACCESS_KEY_ID' },
  ]
}

/** A partial access key is an error, not a reason to use another credential. */
function requireCompleteKey({ env }: Io): void {
  const [missing] = ['WHARF_ACCESS_KEY_ID', 'WHARF_ACCESS_KEY_SECRET'].filter((name) => !nonEmpty(env[name]))
  if (missing === undefined || !(nonEmpty(env.WHARF_ACCESS_KEY_ID) ?? nonEmpty(env.WHARF_ACCESS_KEY_SECRET))) return
  throw new UsageError(`${missing} is missing; set both WHARF_ACCESS_KEY_ID and WHARF_ACCESS_KEY_SECRET`)
}

function namedProfile(io: Io, name: string | undefined): Source[] {
  if (name === undefined) return []
  const profiles = new Profiles(io)
  if (profiles.get(name) !== undefined) return [profileSource(profiles, name)]
  throw new UsageError(`no profile ${name}`, 'list the profiles with wharf profile list')
}

/** The profile that a command uses without --profile. */
export const currentProfileName = (io: Io): string | undefined =>
  nonEmpty(io.env.WHARF_PROFILE) ?? new Profiles(io).current

function currentProfile(io: Io, flags: ConnectionFlags): Source[] {
  if (flags.profile !== undefined) return []
  const name = nonEmpty(io.env.WHARF_PROFILE)
  if (name !== undefined) return namedProfile(io, name)
  const profiles = new Profiles(io)
  const { current } = profiles
  return current === undefined || profiles.get(current) === undefined ? [] : [profileSource(profiles, current)]
}

function profileSource(profiles: Profiles, name: string): Source {
  const stored = profiles.credentialOf(name)
  return {
    url: profiles.get(name)?.url,
    credential: stored?.accessKeyId === undefined ? stored : { scheme: 'service', ...stored },
    profile: name,
    from: `profile ${name}`,
  }
}

const profilesAt = (io: Pick<Io, 'env' | 'home'>, url: string): Source[] => {
  const profiles = new Profiles(io)
  return profiles.names
    .filter((name) => equalServers(profiles.get(name)?.url ?? '', url))
    .map((name) => profileSource(profiles, name))
}

function fromBootstrap({ env, serverData }: Io): Source[] {
  const folder = nonEmpty(env.WHARF_DATA) ?? serverData
  if (folder === undefined) return []
  const path = join(folder, 'bootstrap.json')
  const file = readJsonFile<BootstrapFile>(path)
  return file === undefined ? [] : [{ url: file.url, credential: credentialIn(file), from: path }]
}
