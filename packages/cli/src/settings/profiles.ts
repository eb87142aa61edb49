import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { SignatureScheme } from '@wharf/sdk'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/** A server and the identity of the user, without secrets. */
export interface Profile {
  readonly url: string
  readonly accountUuid?: string | undefined
  readonly userUuid?: string | undefined
  /** Absolute path of additional trusted certificates. */
  readonly caFile?: string | undefined
}

/** Stored in a separate file that only the user can read. */
export interface StoredCredential {
  readonly accessKeyId?: string | undefined
  readonly accessKeySecret?: string | undefined
  /** Absolute path of the private key of an access key that has no secret. */
  readonly privateKeyFile?: string | undefined
  /** How calls are signed; absent in profiles of version 1.0, which sign with the older scheme. */
  readonly scheme?: SignatureScheme | undefined
  readonly session?: string | undefined
  /** A login created the access key for this profile, so a logout deletes it. */
  readonly isFromLogin?: boolean | undefined
}

interface Config {
  current?: string | undefined
  profiles: Record<string, Profile>
}

type Credentials = Record<string, StoredCredential>

const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const publicMode = 0o644
const secretMode = 0o600

/** The profiles of this user. */
export class Profiles {
  readonly #configPath: string
  readonly credentialsPath: string

  constructor(io: Pick<Io, 'env' | 'home'>) {
    const folder = settingsFolder(io)
    this.#configPath = join(folder, 'config.json')
    this.credentialsPath = join(folder, 'credentials.json')
  }

  get current(): string | undefined {
    return this.#config.current
  }

  get names(): string[] {
    return Object.keys(this.#config.profiles).sort()
  }

  get(name: string): Profile | undefined {
    const { profiles } = this.#config
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined
  }

  credentialOf(name: string): StoredCredential | undefined {
    const credentials = this.#credentials
    return Object.hasOwn(credentials, name) ? credentials[name] : undefined
  }

  /** Other users can read the secrets. */
  get isExposed(): boolean {
    try {
      return (statSync(this.credentialsPath).mode & 0o077) !== 0
    } catch {
      return false
    }
  }

  /** Also makes it the current profile if there is none. */
  save(name: string, profile: Profile, credential: StoredCredential | undefined): void {
    if (!profileName.test(name) || name === '__proto__')
      throw new UsageError(`invalid profile name ${name}: use letters, digits, dots, dashes and underscores`)
    const config = this.#config
    config.profiles[name] = profile
    config.current ??= name
    this.#write(config)
    this.#storeCredential(name, credential)
  }

  use(name: string): void {
    this.#write({ ...this.#config, current: name })
  }

  remove(name: string): void {
    const config = this.#config
    delete config.profiles[name]
    if (config.current === name) delete config.current
    this.#storeCredential(name, undefined)
    this.#write(config)
  }

  dropCredential(name: string): void {
    this.#storeCredential(name, undefined)
  }

  get #config(): Config {
    const { current, profiles } = readJsonFile<Partial<Config>>(this.#configPath) ?? {}
    return { ...(current === undefined ? {} : { current }), profiles: { ...profiles } }
  }

  get #credentials(): Credentials {
    return readJsonFile<Credentials>(this.credentialsPath) ?? {}
  }

  #write(config: Config): void {
    writeJsonFile(this.#configPath, config, publicMode)
  }

  #storeCredential(name: string, credential: StoredCredential | undefined): void {
    const credentials = this.#credentials
    if (credential === undefined && !Object.hasOwn(credentials, name)) return
    if (credential === undefined) delete credentials[name]
    else credentials[name] = credential
    writeJsonFile(this.credentialsPath, credentials, secretMode)
  }
}

/** XDG Base Directory Specification: relative paths are ignored. */
function settingsFolder({ env, home }: Pick<Io, 'env' | 'home'>): string {
  const configHome = env.XDG_CONFIG_HOME
  return join(configHome?.startsWith('/') ? configHome : join(home, '.config'), 'wharf')
}
