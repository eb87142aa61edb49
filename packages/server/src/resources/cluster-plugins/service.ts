import { ClusterPluginInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { isUniqueViolation } from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { type RecordDependencies, Records } from '../../records/records.ts'
import type { AlertPlatformService } from '../alerts/service.ts'
import type { TagService } from '../tags/service.ts'
import { componentKey } from './component-address.ts'
import { type ClusterConfiguration, withoutPassword } from './configuration.ts'
import { type FormedCluster, openCluster, sealCluster } from './formed-cluster.ts'
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

type Component = Pick<NewPlugin, 'managementIp' | 'apiPort'>

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
  /** The package has formed a cluster of this configuration before. */
  readonly isFormed?: boolean
}

const alreadyAdded = ({ managementIp, apiPort }: Component, name?: string): ApiError =>
  new ApiError(
    'SYS.1002',
    `the component at ${managementIp} port ${apiPort} is already added${name === undefined ? '' : ` as cluster plugin ${name}`}; use that one, or remove it first`,
  )

const place = (column: 'token' | 'configuration' | 'credential', uuid: string): string =>
  `clusterPlugins.${column}.${uuid}`

interface Deps extends RecordDependencies {
  readonly sealing: Sealing
  readonly tags: TagService
  readonly platforms: AlertPlatformService
}

/** The records of cluster components, and their secrets. */
export class ClusterPluginService extends Records<store.ClusterPluginRow> {
  readonly #sealing: Sealing
  readonly #tags: TagService
  readonly #platforms: AlertPlatformService

  constructor(deps: Deps) {
    super(deps, { inventory: ClusterPluginInventory })
    this.#sealing = deps.sealing
    this.#tags = deps.tags
    this.#platforms = deps.platforms
  }

  async create(tx: Tx, fresh: NewPlugin): Promise<store.ClusterPluginRow> {
    const { name, managementIp, apiPort, isPortGiven, adminToken, resourceUuid: uuid = newUuid() } = fresh
    await this.refuseKnown(fresh, undefined, tx)
    const columns = {
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
      componentKey: componentKey(fresh),
    }
    return this.add(tx, { ...columns, resourceUuid: uuid }, alreadyAdded(fresh))
  }

  /** A component has one plugin. Rows without a key are compared as well. */
  async refuseKnown(component: Component, uuid: string | undefined, from?: Tx): Promise<void> {
    const rows = await store.listPluginsAtPort(from ?? this.database.read, component.apiPort)
    const key = componentKey(component)
    const other = rows.find((row) => row.uuid !== uuid && componentKey(row) === key)
    if (other) throw alreadyAdded(component, other.name)
  }

  /** Another plugin may take the address in the same moment, which only the index of the database sees. */
  async #move(tx: Tx, uuid: string, component: Component): Promise<void> {
    await this.refuseKnown(component, uuid, tx)
    const { managementIp, apiPort } = component
    try {
      await this.write(tx, uuid, { managementIp, apiPort, componentKey: componentKey(component) })
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyAdded(component) : error
    }
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

  findOnPackage(packageUuid: string, from?: Tx): Promise<store.ClusterPluginRow | undefined> {
    return store.findPluginOfPackage(from ?? this.database.read, packageUuid)
  }

  async isTaken(packageUuid: string, uuid: string): Promise<boolean> {
    const other = await this.findOnPackage(packageUuid)
    return other !== undefined && other.uuid !== uuid
  }

  /** A package runs one cluster. */
  async refuseTaken(tx: Tx, packageUuid: string, uuid: string): Promise<void> {
    const other = await this.findOnPackage(packageUuid, tx)
    if (other && other.uuid !== uuid)
      throw new ApiError('SYS.1006', `cluster plugin ${other.name} runs on this software package already`)
  }

  /** Nothing of what was done for another configuration counts, and its secrets are no longer true. */
  async begin(tx: Tx, uuid: string, begun: NewConfiguration): Promise<void> {
    const { configuration, packageUuid, apiPort, hasMadeUpPassword, isFormed = false } = begun
    await this.refuseTaken(tx, packageUuid, uuid)
    const row = await this.get(uuid, tx)
    const { password, managementIp } = configuration
    const isUnread = row.sealedCredential !== null && this.configurationOf(row)?.password === password
    await this.#move(tx, uuid, { managementIp, apiPort: apiPort ?? row.apiPort })
    await this.update(tx, uuid, {
      softwarePackageUuid: packageUuid,
      ...this.#sealed(uuid, configuration, hasMadeUpPassword || isUnread),
      finishedStep: isFormed ? 'initialise' : 'reach',
      // the token of a component that was taken over is not one of ours
      ...(row.sealedConfiguration === null ? {} : { sealedToken: null }),
    })
    await this.#showConfiguration(tx, uuid, packageUuid, configuration)
  }

  /** What the package remembers of the cluster that runs on it. */
  formedOn(row: { uuid: string; sealedCluster: Uint8Array | null }): FormedCluster | undefined {
    return openCluster(this.#sealing, row)
  }

  /** For its package to remember; undefined when no cluster has formed. */
  sealFormed(row: store.ClusterPluginRow): Uint8Array | undefined {
    const configuration = this.configurationOf(row)
    const { softwarePackageUuid, finishedStep, apiPort, sealedCredential } = row
    if (softwarePackageUuid === null || configuration === undefined || finishedStep !== 'quorum') return undefined
    const formed = { configuration, apiPort, isPasswordUnread: sealedCredential !== null }
    return sealCluster(this.#sealing, softwarePackageUuid, formed)
  }

  /** The component was taken over, and this package runs it: what it remembers is true again. */
  async adopt(tx: Tx, uuid: string, row: { uuid: string; sealedCluster: Uint8Array | null }): Promise<void> {
    await this.refuseTaken(tx, row.uuid, uuid)
    const formed = this.formedOn(row)
    await this.update(tx, uuid, {
      softwarePackageUuid: row.uuid,
      ...(formed
        ? { ...this.#sealed(uuid, formed.configuration, formed.isPasswordUnread), finishedStep: 'quorum' }
        : {}),
    })
    if (formed) await this.#showConfiguration(tx, uuid, row.uuid, formed.configuration)
  }

  #sealed(uuid: string, configuration: ClusterConfiguration, isPasswordUnread: boolean) {
    const { username, password } = configuration
    const credential: Credential = { username, password }
    const seal = (value: object, column: 'configuration' | 'credential'): Uint8Array =>
      this.#sealing.seal(JSON.stringify(value), place(column, uuid))
    return {
      sealedConfiguration: seal(configuration, 'configuration'),
      sealedCredential: isPasswordUnread ? seal(credential, 'credential') : null,
    }
  }

  #showConfiguration(tx: Tx, uuid: string, packageUuid: string, configuration: ClusterConfiguration): Promise<void> {
    const shown = { uuid, softwarePackageUuid: packageUuid, ...withoutPassword(configuration) }
    return this.#tags.replace(tx, {
      resourceUuid: uuid,
      resourceType,
      pattern: 'initConfig',
      value: JSON.stringify(shown),
    })
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
    const reference = await store.findAlertReference(from ?? this.database.read, uuid)
    if (reference === undefined) return undefined
    return { reference, platform: await this.#platforms.get(reference.thirdPartyPlatformUuid, from) }
  }

  /** The platform is made by whoever knows its address. */
  async refer(tx: Tx, { uuid, name }: store.ClusterPluginRow, thirdPartyPlatformUuid: string) {
    const reference = { clusterUuid: uuid, thirdPartyPlatformUuid, createDate: this.clock.now() }
    if (!(await store.insertAlertReference(tx, reference)))
      throw new ApiError('SYS.1002', `cluster plugin ${name} has an alert platform already`)
    await this.publish(tx, 'Updated', uuid)
    return reference
  }

  async removeAlertPlatform(tx: Tx, uuid: string): Promise<void> {
    const reference = await store.findAlertReference(tx, uuid)
    if (reference === undefined) return
    await store.deleteAlertReference(tx, uuid)
    await this.#tags.detachAll(tx, reference.thirdPartyPlatformUuid)
    await this.#platforms.delete(tx, reference.thirdPartyPlatformUuid)
  }

  /** Also removes its alert platform, and never the data of the cluster. */
  override async remove(tx: Tx, uuid: string): Promise<void> {
    await this.removeAlertPlatform(tx, uuid)
    await this.#tags.detachAll(tx, uuid)
    await super.remove(tx, uuid)
  }
}
