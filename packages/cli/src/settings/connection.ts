import { join } from 'node:path'
import type { Io } from '../io.ts'
import { NotSignedIn, UsageError } from '../refusals.ts'
import { readJsonFile } from './json-file.ts'
import { Profiles, type StoredCredential } from './profiles.ts'

export interface ConnectionFlags {
  readonly url?: string | undefined
  readonly profile?: string | undefined
  /** A file with a credential, such as the bootstrap.json of a server. */
  readonly credentials?: string | undefined
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
}

interface Found {
  readonly url?: string | undefined
  readonly credential?: StoredCredential | undefined
  readonly profile?: string
  readonly from: string
}

interface BootstrapFile extends StoredCredential {
  readonly url?: string
  readonly accountName?: string
  readonly password?: string
}

/** Flags count more than the environment, that more than a profile, and the server of this checkout comes last. */
export function findConnection(io: Io, flags: ConnectionFlags): Connection {
  const sources = [fromFlags(flags), ...fromEnvironment(io), ...fromProfile(io, flags), ...fromBootstrap(io)]
  const address = sources.find(({ url }) => url !== undefined)
  if (address?.url === undefined) {
    throw new NotSignedIn(
      'no server is known here',
      'start one here with npm start, or sign in: wharf login --url https://wharf.example.com',
    )
  }
  const { url } = address
  // what a profile or a file has for one server is not shown to another
  const candidates = [...sources, ...otherProfilesAt(io, url)]
  const proof = candidates.find((source) => isProof(source.credential) && sameServer(source.url ?? url, url))
  return {
    url,
    credential: proof?.credential ?? {},
    profile: proof?.profile ?? address.profile,
    urlFrom: address.from,
    credentialFrom: proof?.from,
  }
}

/** The slash at the end and the prefix of the API make no difference. */
const sameServer = (one: string, other: string): boolean => plain(one) === plain(other)
const plain = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '')

const isProof = (credential: StoredCredential | undefined): boolean =>
  credential?.session !== undefined ||
  (credential?.accessKeyId !== undefined && credential.accessKeySecret !== undefined)

function fromFlags({ url, credentials }: ConnectionFlags): Found {
  if (credentials === undefined) return { url, from: '--url' }
  const file = readJsonFile<BootstrapFile>(credentials)
  if (file === undefined) throw new UsageError(`there is no file ${credentials}`)
  const from = `--credentials ${credentials}`
  return url === undefined
    ? { url: file.url, credential: proofIn(file), from }
    : // whoever names both means both
      { url, credential: proofIn(file), from: file.url === url ? from : '--url' }
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

function fromProfile(io: Io, flags: ConnectionFlags): Found[] {
  const profiles = new Profiles(io)
  const asked = flags.profile ?? given(io.env.WHARF_PROFILE)
  const name = asked ?? profiles.current
  if (name === undefined) return []
  const profile = profiles.get(name)
  if (profile !== undefined) return [profileAs(profiles, name)]
  if (asked === undefined) return []
  throw new UsageError(`there is no profile ${name}`, 'wharf profile list shows those that there are')
}

function profileAs(profiles: Profiles, name: string): Found {
  return {
    url: profiles.get(name)?.url,
    credential: profiles.credentialOf(name),
    profile: name,
    from: `profile ${name}`,
  }
}

const otherProfilesAt = (io: Io, url: string): Found[] => {
  const profiles = new Profiles(io)
  return profiles.names
    .filter((name) => sameServer(profiles.get(name)?.url ?? '', url))
    .map((name) => profileAs(profiles, name))
}

function fromBootstrap({ env, checkoutData }: Io): Found[] {
  const folder = given(env.WHARF_DATA) ?? checkoutData
  if (folder === undefined) return []
  const path = join(folder, 'bootstrap.json')
  const file = readJsonFile<BootstrapFile>(path)
  return file === undefined ? [] : [{ url: file.url, credential: proofIn(file), from: path }]
}
