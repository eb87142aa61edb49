import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../io.ts'
import { UsageError } from '../refusals.ts'
import { settingsFolder } from './folder.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/** A server and who one is there; no secret. */
export interface Profile {
  readonly url: string
  readonly accountUuid?: string | undefined
  readonly userUuid?: string | undefined
  /** Certificates that are trusted for this server; absolute. */
  readonly caFile?: string | undefined
}

/** What proves it; in a file of its own that nobody else may read. */
export interface StoredCredential {
  readonly accessKeyId?: string | undefined
  readonly accessKeySecret?: string | undefined
  readonly session?: string | undefined
}

interface Config {
  current?: string | undefined
  profiles: Record<string, Profile>
}

type Credentials = Record<string, StoredCredential>

const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const openMode = 0o644
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

  /** Others could read the secrets. */
  get isExposed(): boolean {
    try {
      return (statSync(this.credentialsPath).mode & 0o077) !== 0
    } catch {
      return false
    }
  }

  /** Makes it the current one unless another is. */
  save(name: string, profile: Profile, credential: StoredCredential | undefined): void {
    if (!profileName.test(name) || name === '__proto__')
      throw new UsageError(
        `a profile cannot be named ${name}: letters, digits, dots, dashes and underscores may stand there`,
      )
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
    writeJsonFile(this.#configPath, config, openMode)
  }

  #storeCredential(name: string, credential: StoredCredential | undefined): void {
    const credentials = this.#credentials
    if (credential === undefined && !Object.hasOwn(credentials, name)) return
    if (credential === undefined) delete credentials[name]
    else credentials[name] = credential
    writeJsonFile(this.credentialsPath, credentials, secretMode)
  }
}
