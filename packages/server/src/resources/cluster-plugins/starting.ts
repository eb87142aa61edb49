import { randomBytes } from 'node:crypto'
import type {
  AnswerOf,
  addClusterPlugin,
  createClusterPluginAlertPlatform,
  FieldsOf,
  Recorded,
  updateClusterConfig,
} from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Caller } from '../../calls/caller.ts'
import type { JobDefinition } from '../../jobs/definition.ts'
import type { JobRequest, JobService } from '../../jobs/service.ts'
import { ingestionUrl, resourceType as platformType } from '../alerts/service.ts'
import type { HostRow } from '../hosts/service.ts'
import { standardApiPort } from '../software-packages/service.ts'
import { attachmentOf } from './attachment.ts'
import { isHost } from './component-address.ts'
import { checkedConfiguration, checkFields, isSameConfiguration } from './configuration.ts'
import { addJob } from './jobs/add.ts'
import { alertPlatformJob, attachAlertsJob } from './jobs/alert-platform.ts'
import { configureJob } from './jobs/configure.ts'
import type { JobParts } from './jobs/parts.ts'
import { removeJob } from './jobs/remove.ts'
import { refuseOutOfReach } from './out-of-reach.ts'
import { refuseOtherCluster, refuseOtherPackage } from './reattaching.ts'
import { type NewConfiguration, resourceType } from './service.ts'

/** What a call brings along, whoever carries it. */
interface Beginning {
  readonly caller: Caller
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly job: JobRequest
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
  authorise(tx: Tx): Promise<void>
}

type Begun<O> = { jobUuid: string } | Recorded<AnswerOf<O>>

interface Parts extends JobParts {
  readonly jobs: JobService
}

/** What the platform of a plugin is called after its name, as far as a name has room. */
const suffix = ' alerts'
const maxPlatformName = 255
const initialised = { clusterInitSuccess: true, tokenCreated: true, initSuccess: true }

/** The first part of every long operation: what can be refused at once is refused, then record and job are one commit. */
export class ClusterStarting {
  readonly #parts: Parts
  readonly #add: ReturnType<typeof addJob>
  readonly #configure: ReturnType<typeof configureJob>
  readonly #alertPlatform: ReturnType<typeof alertPlatformJob>
  readonly #attachAlerts: ReturnType<typeof attachAlertsJob>
  readonly #remove: ReturnType<typeof removeJob>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#add = addJob(parts)
    this.#configure = configureJob(parts)
    this.#alertPlatform = alertPlatformJob(parts)
    this.#attachAlerts = attachAlertsJob(parts)
    this.#remove = removeJob(parts)
    for (const definition of [this.#add, this.#configure, this.#alertPlatform, this.#attachAlerts, this.#remove])
      parts.jobs.runner.register(definition as JobDefinition)
  }

  async add(call: Beginning, fields: FieldsOf<typeof addClusterPlugin>): Promise<Begun<typeof addClusterPlugin>> {
    const { plugins, tags, jobs } = this.#parts
    const { tagUuids, apiPort = standardApiPort, managementIp = this.#parts.ownAddress.ip, ...rest } = fields
    const { adminToken, resourceUuid = newUuid() } = fields
    if (!isHost(managementIp))
      throw invalid(`params.managementIp must be an address or a host name, which ${managementIp} is not`)
    const plugin = { ...rest, apiPort, isPortGiven: fields.apiPort !== undefined, managementIp, resourceUuid }
    if (plugin.isPortGiven) await plugins.refuseKnown(plugin, undefined)
    return call.commit(async (tx): Promise<Begun<typeof addClusterPlugin>> => {
      if (adminToken !== undefined) {
        const input = { plugin: { ...plugin, adminToken }, tags: call.tags, tagUuids, role: call.caller.role }
        return jobs.enqueue(tx, this.#add, { request: call.job, subjectUuid: resourceUuid, input })
      }
      await tags.attach(tx, { resourceUuid, resourceType, tags: call.tags, tagUuids })
      return { inventory: await plugins.create(tx, plugin) }
    })
  }

  async configure(
    call: Beginning,
    fields: FieldsOf<typeof updateClusterConfig>,
  ): Promise<Begun<typeof updateClusterConfig>> {
    const { plugins, packages, hosts, jobs } = this.#parts
    const { uuid, softwarePackageUuid: packageUuid } = fields
    checkFields(fields)
    const plugin = await plugins.get(uuid)
    const row = await packages.get(packageUuid)
    const host = row.hostUuid === null ? undefined : await hosts.getForWork(row.hostUuid, call.caller)
    refuseOtherPackage(plugin, row)
    const isFormed = plugin.finishedStep === 'quorum'
    // a cluster runs on the package, and no plugin refers to it any more
    const isReattached = !isFormed && row.status === 'Initialized' && !(await plugins.isTaken(packageUuid, uuid))
    const formed = isReattached ? plugins.formedOn(row) : undefined
    const tried = plugin.softwarePackageUuid === packageUuid ? plugins.configurationOf(plugin) : undefined
    const before = formed?.configuration ?? tried
    if (isReattached && before === undefined && fields.password === undefined)
      throw new ApiError(
        'SYS.1006',
        `software package ${row.name} is Initialized, and the password of its cluster is not known; give updateClusterConfig.password, or take the cluster over by its token`,
      )
    const password = (): string => before?.password ?? randomBytes(18).toString('base64url')
    const configuration = checkedConfiguration(fields, { managementIp: plugin.managementIp, password })
    const isSame = tried !== undefined && isSameConfiguration(tried, configuration)
    if (isFormed && !isSame)
      throw new ApiError('SYS.1006', `cluster plugin ${plugin.name} is already configured with other values`)
    if (formed) refuseOtherCluster(plugin, row, formed, configuration)
    if (!isFormed && !isReattached) packages.requireStatus(row, 'initialise')
    if (host === undefined) throw new ApiError('SYS.1005', `software package ${row.name} is on no host`)
    const hooks = packages.manifestOf(row).cluster
    if (hooks?.initialise === undefined)
      throw new ApiError('SoftwarePackage.1132', `software package ${row.name} cannot initialise a cluster`)
    const platform = (await plugins.alertPlatformOf(uuid))?.platform
    // what is there already needs nothing any more
    if (isFormed && plugin.sealedToken !== null && plugin.attachedAlerts === attachmentOf(platform)) return initialised
    hosts.refuseUnusable(host)
    if (platform) refuseOutOfReach(this.#parts.ownAddress, host)

    const begun: NewConfiguration = {
      configuration,
      packageUuid,
      apiPort: plugin.isPortGiven ? undefined : (formed?.apiPort ?? hooks.apiPort),
      hasMadeUpPassword: formed?.isPasswordUnread ?? (fields.password === undefined && before === undefined),
      // a cluster that runs is not initialised again: the check of its package finds out whether this is its configuration
      isFormed: isReattached,
    }
    return call.commit(async (tx) => {
      await plugins.refuseTaken(tx, packageUuid, uuid)
      if (!isFormed) await packages.begin(tx, packageUuid, isReattached ? 'reattach' : 'initialise', 'Initializing')
      const mustSignIn = isReattached && formed === undefined
      const input = { pluginUuid: uuid, packageUuid, isReattached, mustSignIn, ...(isSame ? {} : { begun }) }
      return jobs.enqueue(tx, this.#configure, {
        request: call.job,
        subjectUuid: uuid,
        input,
        managementNodeUuid: host.managementNodeUuid ?? undefined,
      })
    })
  }

  async createAlertPlatform(
    call: Beginning,
    uuid: string,
    { resourceUuid = newUuid(), tagUuids }: FieldsOf<typeof createClusterPluginAlertPlatform>,
  ): Promise<{ jobUuid: string }> {
    const { plugins, platforms, jobs, tags, ownAddress } = this.#parts
    const plugin = await plugins.get(uuid)
    const reachedFrom = await this.#hostOf(call, plugin)
    if (reachedFrom) refuseOutOfReach(ownAddress, reachedFrom)
    return call.commit(async (tx) => {
      const host = await this.#hostOf(call, await plugins.get(uuid, tx), tx)
      const platform = await platforms.create(tx, {
        name: `${plugin.name.slice(0, maxPlatformName - suffix.length)}${suffix}`,
        url: ingestionUrl(ownAddress, resourceUuid),
        resourceUuid,
      })
      await plugins.refer(tx, plugin, platform.uuid)
      const resource = { resourceUuid: platform.uuid, resourceType: platformType }
      await tags.attach(tx, { ...resource, tags: call.tags, tagUuids })
      return jobs.enqueue(tx, this.#alertPlatform, {
        request: call.job,
        subjectUuid: uuid,
        input: { pluginUuid: uuid, role: call.caller.role },
        managementNodeUuid: host?.managementNodeUuid ?? undefined,
      })
    })
  }

  async attachAlerts(call: Beginning, uuid: string): Promise<{ jobUuid: string }> {
    const { plugins, jobs } = this.#parts
    const plugin = await plugins.get(uuid)
    if ((await plugins.alertPlatformOf(uuid)) === undefined)
      throw new ApiError('SYS.1005', `cluster plugin ${plugin.name} has no alert platform; create it first`)
    return call.commit(async (tx) => {
      const host = await this.#hostOf(call, await plugins.get(uuid, tx), tx)
      return jobs.enqueue(tx, this.#attachAlerts, {
        request: call.job,
        subjectUuid: uuid,
        input: { pluginUuid: uuid, role: call.caller.role },
        managementNodeUuid: host?.managementNodeUuid ?? undefined,
      })
    })
  }

  async remove(call: Beginning, uuid: string, mode: 'Permissive' | 'Enforcing'): Promise<{ jobUuid: string }> {
    const { plugins, jobs } = this.#parts
    const enforcing = mode === 'Enforcing'
    await this.#hostOf(call, await plugins.get(uuid))
    if (enforcing) await jobs.cancelSubject(call, uuid)
    return call.commit(async (tx) => {
      const host = await this.#hostOf(call, await plugins.get(uuid, tx), tx)
      await jobs.refuseBusy(tx, uuid)
      return jobs.enqueue(tx, this.#remove, {
        request: call.job,
        subjectUuid: uuid,
        input: { pluginUuid: uuid, enforcing },
        managementNodeUuid: host?.managementNodeUuid ?? undefined,
      })
    })
  }

  /** The host of its package, which its component is reached from: where that is the machine of a node, by that node. */
  async #hostOf(
    { caller }: Beginning,
    { softwarePackageUuid }: { softwarePackageUuid: string | null },
    from?: Tx,
  ): Promise<HostRow | undefined> {
    if (softwarePackageUuid === null) return undefined
    const { hostUuid } = await this.#parts.packages.get(softwarePackageUuid, from)
    return hostUuid === null ? undefined : this.#parts.hosts.getForWork(hostUuid, caller, from)
  }
}
