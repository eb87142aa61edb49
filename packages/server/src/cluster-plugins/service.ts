import type { AlertPlatformService } from '../alerts/service.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Events } from '../events/events.ts'
import { ApiError, notFound } from '../platform/api-error.ts'
import type { Clock } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import type { Sealing } from '../platform/sealing.ts'
import type { TagService } from '../tags/service.ts'
import { type ClusterConfiguration, withoutPassword } from './configuration.ts'
import * as store from './store.ts'

export const resourceType = 'ClusterPlugin'

export interface NewPlugin {
  readonly name: string
  readonly managementIp: string
  readonly apiPort: number
  readonly isPortGiven: boolean
  readonly adminToken?: string | undefined
  readonly resourceUuid?: string | undefined
}

interface Credential {
  readonly username: string
  readonly password: string
}

/** A configuration that has passed every check and is about to change something. */
export interface NewConfiguration {
  readonly configuration: ClusterConfiguration
  readonly packageUuid: string
  /** Where the component listens, when the caller left that to the package. */
  readonly apiPort?: number | undefined
  /** Made up by us, so that somebody has to be shown it. */
  readonly hasMadeUpPassword: boolean
}

const place = (column: 'token' | 'configuration' | 'credential', uuid: string): string =>
  `clusterPlugins.${column}.${uuid}`

/** The records of cluster components, and the secrets that belong to them. */
export class ClusterPluginService {
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #sealing: Sealing
  readonly #tags: TagService
  readonly #platforms: AlertPlatformService

  constructor(parts: {
    database: Database
    events: Events
    clock: Clock
    sealing: Sealing
    tags: TagService
    platforms: AlertPlatformService
  }) {
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#sealing = parts.sealing
    this.#tags = parts.tags
    this.#platforms = parts.platforms
  }

  async get(uuid: string, from?: Tx): Promise<store.ClusterPluginRow> {
    const row = await store.findPlugin(from ?? this.#database.read, uuid)
    if (row === undefined) throw notFound('cluster plugin', uuid)
    return row
  }

  async create(tx: Tx, fresh: NewPlugin): Promise<store.ClusterPluginRow> {
    const now = this.#clock.now()
    const { name, managementIp, apiPort, isPortGiven, adminToken, resourceUuid: uuid = newUuid() } = fresh
    const row: store.ClusterPluginRow = {
      uuid,
      name,
      managementIp,
      apiPort,
      softwarePackageUuid: null,
      sealedToken: adminToken === undefined ? null : this.#sealing.seal(adminToken, place('token', uuid)),
      sealedConfiguration: null,
      sealedCredential: null,
      finishedStep: null,
      isPortGiven: isPortGiven ? 1 : 0,
      attachedAlerts: null,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await store.insertPlugin(tx, row)))
      throw new ApiError('SYS.1002', `a cluster plugin with the uuid ${uuid} exists already`)
    await this.#tell(tx, 'Created', uuid)
    return row
  }

  async update(tx: Tx, uuid: string, change: Partial<store.ClusterPluginRow>): Promise<void> {
    await store.updatePlugin(tx, uuid, { ...change, lastOpDate: this.#clock.now() })
    await this.#tell(tx, 'Updated', uuid)
  }

  tokenOf({ uuid, sealedToken }: store.ClusterPluginRow): string | undefined {
    return sealedToken === null ? undefined : this.#sealing.open(sealedToken, place('token', uuid))
  }

  keepToken(tx: Tx, uuid: string, token: string): Promise<void> {
    return this.update(tx, uuid, { sealedToken: this.#sealing.seal(token, place('token', uuid)) })
  }

  /** The configuration that was begun last, with its password. */
  configurationOf({ uuid, sealedConfiguration }: store.ClusterPluginRow): ClusterConfiguration | undefined {
    if (sealedConfiguration === null) return undefined
    return JSON.parse(this.#sealing.open(sealedConfiguration, place('configuration', uuid))) as ClusterConfiguration
  }

  /** A package runs one cluster. */
  async refuseTaken(tx: Tx, packageUuid: string, uuid: string): Promise<void> {
    const other = await store.findPluginOfPackage(tx, packageUuid)
    if (other && other.uuid !== uuid)
      throw new ApiError('SYS.1006', `cluster plugin ${other.name} runs on this software package already`)
  }

  /** Nothing of what was done for another configuration counts, and its secrets are no longer true. */
  async begin(tx: Tx, uuid: string, begun: NewConfiguration): Promise<void> {
    const { configuration, packageUuid, apiPort, hasMadeUpPassword } = begun
    await this.refuseTaken(tx, packageUuid, uuid)
    const row = await this.get(uuid, tx)
    const { username, password, managementIp } = configuration
    const credential: Credential = { username, password }
    const isUnread = row.sealedCredential !== null && this.configurationOf(row)?.password === password
    await this.update(tx, uuid, {
      managementIp,
      softwarePackageUuid: packageUuid,
      sealedConfiguration: this.#sealing.seal(JSON.stringify(configuration), place('configuration', uuid)),
      sealedCredential:
        hasMadeUpPassword || isUnread
          ? this.#sealing.seal(JSON.stringify(credential), place('credential', uuid))
          : null,
      finishedStep: 'reach',
      // the token of a component that was taken over is not one of ours
      ...(row.sealedConfiguration === null ? {} : { sealedToken: null }),
      ...(apiPort === undefined ? {} : { apiPort }),
    })
    const shown = { uuid, softwarePackageUuid: packageUuid, ...withoutPassword(configuration) }
    const tag = { resourceUuid: uuid, resourceType, pattern: 'initConfig', value: JSON.stringify(shown) } as const
    await this.#tags.replace(tx, tag)
  }

  /** Once: what was made up is shown to the first admin who asks. */
  async reveal(tx: Tx, uuid: string): Promise<Credential> {
    const { sealedCredential, name } = await this.get(uuid, tx)
    if (sealedCredential === null)
      throw new ApiError('SYS.1005', `cluster plugin ${name} has no password to show: it was given, or shown already`)
    await this.update(tx, uuid, { sealedCredential: null })
    return JSON.parse(this.#sealing.open(sealedCredential, place('credential', uuid))) as Credential
  }

  /** The platform that takes its alerts, when it has one. */
  async alertPlatformOf(uuid: string, from?: Tx) {
    const reference = await store.findAlertReference(from ?? this.#database.read, uuid)
    if (reference === undefined) return undefined
    return { reference, platform: await this.#platforms.get(reference.thirdPartyPlatformUuid, from) }
  }

  /** The platform is made by whoever knows its address. */
  async refer(tx: Tx, { uuid, name }: store.ClusterPluginRow, thirdPartyPlatformUuid: string) {
    const reference = { clusterUuid: uuid, thirdPartyPlatformUuid, createDate: this.#clock.now() }
    if (!(await store.insertAlertReference(tx, reference)))
      throw new ApiError('SYS.1002', `cluster plugin ${name} has an alert platform already`)
    await this.#tell(tx, 'Updated', uuid)
    return reference
  }

  async removeAlertPlatform(tx: Tx, uuid: string): Promise<void> {
    const reference = await store.findAlertReference(tx, uuid)
    if (reference === undefined) return
    await store.deleteAlertReference(tx, uuid)
    await this.#tags.detachAll(tx, reference.thirdPartyPlatformUuid)
    await this.#platforms.delete(tx, reference.thirdPartyPlatformUuid)
  }

  /** Its alert platform goes with it; the data of the cluster never does. */
  async delete(tx: Tx, uuid: string): Promise<void> {
    await this.removeAlertPlatform(tx, uuid)
    await this.#tags.detachAll(tx, uuid)
    await store.deletePlugin(tx, uuid)
    await this.#tell(tx, 'Deleted', uuid)
  }

  #tell(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#events.record(tx, { type, resourceType, uuid })
  }
}
