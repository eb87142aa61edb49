import { join } from 'node:path'
import type { Io } from '../io.ts'
import { NotSignedIn, UsageError } from '../refusals.ts'
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

/** Which server, as whom, and who said so. */
export interface Connection {
  readonly url: string
  readonly credential: StoredCredential
  readonly profile?: string | undefined
  /** For people: `profile prod`, `WHARF_URL`. */
  readonly urlFrom: string
  /** Undefined when there is none. */
  readonly credentialFrom: string | undefined
  /** The bootstrap.json of this server, when it is not used because the user has signed out. */
  readonly unusedBootstrap?: string | undefined
}

interface Found {
  readonly url?: string | undefined
  readonly credential?: StoredCredential | undefined
  readonly profile?: string
  readonly from: string
  /** Where the address is from, when that is another place. */
  readonly urlFrom?: string
}

interface BootstrapFile extends StoredCredential {
  readonly url?: string
}

/** Flags count more than the environment, that more than a profile, and the server of this machine comes last. */
export function findConnection(io: Io, flags: ConnectionFlags): Connection {
  const said = [fromFlags(flags), ...namedProfile(io, flags.profile)]
  const [environment, inUse, bootstrap] = [fromEnvironment(io), profileInUse(io, flags), fromBootstrap(io)]
  const sources = [...said, ...environment, ...inUse, ...bootstrap]
  const address = sources.find(({ url }) => url !== undefined)
  if (address?.url === undefined) {
    throw new NotSignedIn(
      'no server is known here',
      'start one here with npm start, or sign in: wharf login --url https://wharf.example.com',
    )
  }
  const { url } = address
  const urlFrom = address.urlFrom ?? address.from
  requireAddress(url, urlFrom)
  const isHere = (source: Found): boolean => sameServer(source.url ?? url, url)
  const profiles = profilesAt(io, url)
  // a profile without a credential was signed out of: nobody else's is used in its place
  const others = inUse.filter(isHere).some(isSignedOut) ? [] : profiles
  const local = profiles.some(isSignedOut) ? [] : bootstrap
  // who names a profile means nobody else
  const candidates = flags.profile === undefined ? [...said, ...environment, ...inUse, ...others, ...local] : said
  if (flags.profile === undefined && flags.credentials === undefined) requireWholeKey(io)
  // what a profile or a bootstrap.json has for one server is not shown to another
  const proof = candidates.find((source) => isProof(source.credential) && isHere(source))
  return {
    url,
    credential: proof?.credential ?? {},
    profile: proof?.profile ?? address.profile,
    urlFrom,
    credentialFrom: proof?.from,
    unusedBootstrap: proof === undefined ? bootstrap.find(isHere)?.from : undefined,
  }
}

/** The CA file that a login at this server has stored. */
export const storedCaFile = (io: Pick<Io, 'env' | 'home'>, url: string): string | undefined =>
  profilesAt(io, url)
    .map(({ profile }) => new Profiles(io).get(profile ?? '')?.caFile)
    .find((path) => path !== undefined)

function requireAddress(url: string, from: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} (${from}) is no address: it must be an address such as https://wharf.example.com`)
}

/** A server is there with the prefix of its API and without it; two different ones are two servers. */
function sameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const [prefix, otherPrefix] = [prefixOf(one), prefixOf(other)]
  return new URL(one).origin === new URL(other).origin && (prefix === otherPrefix || !prefix || !otherPrefix)
}

const prefixOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '').replace(/\/v1$/, '')

const isProof = (credential: StoredCredential | undefined): boolean =>
  credential?.session !== undefined ||
  (credential?.accessKeyId !== undefined && credential.accessKeySecret !== undefined)

const isSignedOut = ({ credential }: Found): boolean => !isProof(credential)

function fromFlags({ url, credentials }: ConnectionFlags): Found {
  if (credentials === undefined) return { url, from: '--url' }
  const file = readCredentialsFile(credentials)
  const from = `--credentials ${credentials}`
  // whoever names both means both
  return { url: url ?? file.url, credential: file.credential, from, urlFrom: url === undefined ? from : '--url' }
}

const proofIn = ({ accessKeyId, accessKeySecret, session }: StoredCredential): StoredCredential =>
  accessKeyId === undefined ? { session } : { accessKeyId, accessKeySecret }

/** An empty variable is as good as none. */
const given = (value: string | undefined): string | undefined => value || undefined

function fromEnvironment({ env }: Io): Found[] {
  const accessKeyId = given(env.WHARF_ACCESS_KEY_ID)
  const accessKeySecret = given(env.WHARF_ACCESS_KEY_SECRET)
  return [
    { url: given(env.WHARF_URL), from: 'WHARF_URL' },
    { credential: { accessKeyId, accessKeySecret }, from: 'WHARF_ACCESS_KEY_ID' },
  ]
}

/** Half of it is a mistake, and no reason to be somebody else. */
function requireWholeKey({ env }: Io): void {
  const [missing] = ['WHARF_ACCESS_KEY_ID', 'WHARF_ACCESS_KEY_SECRET'].filter((name) => !given(env[name]))
  if (missing === undefined || !(given(env.WHARF_ACCESS_KEY_ID) ?? given(env.WHARF_ACCESS_KEY_SECRET))) return
  throw new UsageError(`${missing} is missing: an access key is WHARF_ACCESS_KEY_ID with WHARF_ACCESS_KEY_SECRET`)
}

function namedProfile(io: Io, name: string | undefined): Found[] {
  if (name === undefined) return []
  const profiles = new Profiles(io)
  if (profiles.get(name) !== undefined) return [profileAs(profiles, name)]
  throw new UsageError(`there is no profile ${name}`, 'wharf profile list shows those that there are')
}

/** The one that a command is about when none is named. */
export const nameInUse = (io: Io): string | undefined => given(io.env.WHARF_PROFILE) ?? new Profiles(io).current

function profileInUse(io: Io, flags: ConnectionFlags): Found[] {
  if (flags.profile !== undefined) return []
  const asked = given(io.env.WHARF_PROFILE)
  if (asked !== undefined) return namedProfile(io, asked)
  const profiles = new Profiles(io)
  const { current } = profiles
  return current === undefined || profiles.get(current) === undefined ? [] : [profileAs(profiles, current)]
}

function profileAs(profiles: Profiles, name: string): Found {
  return {
    url: profiles.get(name)?.url,
    credential: profiles.credentialOf(name),
    profile: name,
    from: `profile ${name}`,
  }
}

const profilesAt = (io: Pick<Io, 'env' | 'home'>, url: string): Found[] => {
  const profiles = new Profiles(io)
  return profiles.names
    .filter((name) => sameServer(profiles.get(name)?.url ?? '', url))
    .map((name) => profileAs(profiles, name))
}

function fromBootstrap({ env, serverData }: Io): Found[] {
  const folder = given(env.WHARF_DATA) ?? serverData
  if (folder === undefined) return []
  const path = join(folder, 'bootstrap.json')
  const file = readJsonFile<BootstrapFile>(path)
  return file === undefined ? [] : [{ url: file.url, credential: proofIn(file), from: path }]
}
