import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerOf, Recorded, uploadSoftwarePackage } from '@wharf/contract'
import type { Tx } from '../database/database.ts'
import { maskedUrl } from '../downloads/masked-url.ts'
import { parsePackageUrl } from '../downloads/package-url.ts'
import type { Caller } from '../identity/caller.ts'
import type { JobDefinition } from '../jobs/definition.ts'
import type { JobRequest, JobService } from '../jobs/service.ts'
import { ApiError, invalid, notFound } from '../platform/api-error.ts'
import { OnAnotherNode } from '../platform/on-another-node.ts'
import type { TagService } from '../tags/service.ts'
import type { JsonSchema } from './archives/config-check.ts'
import { manifestOf, readConfiguration, withoutSecrets } from './configuration.ts'
import { checkedDirectory, checkHostPath, storagePath } from './install-path.ts'
import { deleteJob } from './jobs/delete.ts'
import { installJob } from './jobs/install.ts'
import { type JobParts, type UploadInput, zipSpool } from './jobs/receiving.ts'
import { uninstallJob } from './jobs/uninstall.ts'
import { uploadToHostJob } from './jobs/upload-to-host.ts'
import { uploadToStorageJob } from './jobs/upload-to-storage.ts'
import { type NewPackage, resourceType } from './service.ts'
import { hiddenUploadUrl } from './upload-url-tags.ts'

/** What a call brings along, whoever carries it. */
interface Beginning {
  readonly caller: Caller
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly job: JobRequest
  /** Another node handed it on. */
  readonly isRelayed: boolean
  /** Of the API, as the caller knows it. */
  readonly address: string
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
}

type Begun = { jobUuid: string } | Recorded<AnswerOf<typeof uploadSoftwarePackage>>

interface Parts extends JobParts {
  readonly tags: TagService
  readonly jobs: JobService
  readonly nodeUuid: string
}

interface UploadRequest {
  name: string
  type: string
  url: string
  installPath: string
  resourceUuid?: string | undefined
  tagUuids?: readonly string[] | undefined
}

/** The first part of every long operation: what can be refused at once is refused, then record and job are one commit. */
export class Starting {
  readonly #parts: Parts
  readonly #toHost: JobDefinition<UploadInput>
  readonly #toStorage: JobDefinition<UploadInput>
  readonly #install: ReturnType<typeof installJob>
  readonly #uninstall: ReturnType<typeof uninstallJob>
  readonly #delete: ReturnType<typeof deleteJob>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#toHost = uploadToHostJob(parts) as JobDefinition<UploadInput>
    this.#toStorage = uploadToStorageJob(parts) as JobDefinition<UploadInput>
    this.#install = installJob(parts)
    this.#uninstall = uninstallJob(parts)
    this.#delete = deleteJob(parts)
    for (const definition of [this.#toHost, this.#toStorage, this.#install, this.#uninstall, this.#delete])
      parts.jobs.runner.register(definition as JobDefinition)
    parts.uploads.onFinished((tx, upload) => this.#sliced(tx, upload))
    parts.uploads.onEnded(async (tx, { packageUuid }) => {
      await parts.packages.uploadFailed(tx, packageUuid)
    })
  }

  /** What jobs of an earlier process have kept here, they fetch again when they go on. */
  async start(): Promise<void> {
    const folder = zipSpool(this.#parts.settings.data)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
  }

  /** Now and then: what jobs have kept here that went on at another node. */
  async removeStrayZips(): Promise<void> {
    const folder = zipSpool(this.#parts.settings.data)
    for (const jobUuid of await readdir(folder))
      if (!this.#parts.jobs.runner.runs(jobUuid)) await rm(join(folder, jobUuid), { force: true })
  }

  async uploadToHost(
    call: Beginning,
    request: UploadRequest & { hostUuid: string; managementNodeUuid: string },
  ): Promise<Begun> {
    const { hosts, settings, packages } = this.#parts
    packages.refuseOnHost(request.type)
    const host = await hosts.get(request.hostUuid)
    checkHostPath(request.installPath, host.driver === 'local' ? [settings.data] : [])
    await this.#requireNode(request.managementNodeUuid)
    hosts.refuseUnusable(host)
    return this.#upload(call, request, request, this.#toHost, host)
  }

  async uploadToStorage(
    call: Beginning,
    request: UploadRequest & { backupStorageUuid?: string | undefined },
  ): Promise<Begun> {
    const { backupStorage } = this.#parts
    const installPath = storagePath(request.installPath)
    const row =
      request.backupStorageUuid === undefined
        ? // a call that was handed on came here for the room that is here
          await backupStorage.mostRoom({ here: call.isRelayed })
        : await backupStorage.get(request.backupStorageUuid)
    backupStorage.refuseUnusable(row)
    const fresh = { ...request, installPath, backupStorageUuid: row.uuid }
    return this.#upload(call, request, fresh, this.#toStorage, row)
  }

  async #upload(
    call: Beginning,
    request: UploadRequest,
    fresh: NewPackage,
    definition: JobDefinition<UploadInput>,
    place: { readonly managementNodeUuid: string | null },
  ): Promise<Begun> {
    const { packages, jobs, settings, nodeUuid } = this.#parts
    const source = parsePackageUrl(request.url, { maxBytes: settings.maxPackageBytes })
    return call.commit(async (tx): Promise<Begun> => {
      if (source.kind === 'upload') return this.#openUpload(tx, call, request, fresh, source)
      const row = await packages.create(tx, fresh)
      await this.#tag(tx, call, request, row.uuid)
      const input: UploadInput = { packageUuid: row.uuid, origin: { url: request.url } }
      const submission = { request: call.job, subjectUuid: row.uuid, input }
      // what a zip leaves on this node meanwhile, another that goes on fetches again
      const node = source.kind === 'file' ? { managementNodeUuid: nodeUuid } : nodeOf(place)
      return jobs.enqueue(tx, definition, { ...submission, ...node })
    })
  }

  /** What the caller sent, and in place of its uploadConfig the one that took effect. */
  async #tag(tx: Tx, { tags: given }: Beginning, request: UploadRequest, uuid: string, more: string[] = []) {
    const { resourceUuid: _, tagUuids, url, ...fields } = request
    const effective = JSON.stringify({ ...fields, url: maskedUrl(url) })
    const kept = given.system.filter((tag) => !/^(uploadUrl|uploadConfig)::/.test(tag))
    const tags = { user: given.user, system: [...kept, `uploadConfig::${effective}`, ...more] }
    await this.#parts.tags.attach(tx, { resourceUuid: uuid, resourceType, tags, tagUuids })
  }

  /** Answers at once, with the address that takes the slices; the last one starts the job. */
  async #openUpload(
    tx: Tx,
    call: Beginning,
    request: UploadRequest,
    fresh: NewPackage,
    { fileName, size, md5 }: { fileName: string; size?: number; md5?: string },
  ): Promise<Begun> {
    const { packages, uploads } = this.#parts
    const { caller, address } = call
    const resumeKey = resumeKeyIn(call.tags.system)
    const open = resumeKey === undefined ? undefined : await packages.findResumable(tx, caller, resumeKey, fresh)
    if (open) return { inventory: open.row, systemTags: [`uploadUrl::${address}${open.path}`] }
    const row = await packages.create(tx, fresh)
    const { path } = await uploads.open(tx, { packageUuid: row.uuid, fileName, size, md5, resumeKey, caller })
    // the address is a credential: in the database stands only that there is one
    await this.#tag(tx, call, request, row.uuid, [hiddenUploadUrl])
    return { inventory: row, systemTags: [`uploadUrl::${address}${path}`] }
  }

  /** Every byte of an upload is here: the rest is the same job as for any other address. */
  async #sliced(tx: Tx, { id, packageUuid, md5 }: { id: string; packageUuid: string; md5: string }): Promise<void> {
    const { packages, jobs, uploads } = this.#parts
    const row = await packages.get(packageUuid, tx)
    const { caller, fileName } = await uploads.about(tx, id)
    const input: UploadInput = { packageUuid, origin: { uploadId: id, fileName }, md5 }
    await jobs.enqueue(tx, row.hostUuid === null ? this.#toStorage : this.#toHost, {
      request: { caller },
      subjectUuid: packageUuid,
      input,
      managementNodeUuid: this.#parts.nodeUuid,
    })
    await this.#parts.tags.remove(tx, packageUuid, 'uploadUrl')
  }

  async install(call: Beginning, uuid: string, config: string | undefined): Promise<{ jobUuid: string }> {
    const { packages, hosts, backupStorage, jobs, tags } = this.#parts
    const row = await packages.get(uuid)
    packages.requireStatus(row, 'install')
    const manifest = manifestOf(row)
    if (manifest.type !== row.type)
      throw new ApiError(
        'SoftwarePackage.1101',
        `software package ${row.name} was uploaded as ${row.type}, but says that it is ${manifest.type}`,
      )
    const { value, hostUuid } = readConfiguration(manifest, config)
    const target = row.backupStorageUuid === null ? row.hostUuid : hostUuid
    if (!target)
      throw invalid('installSoftwarePackage.config must name the hostUuid, since the package is on backup storage')
    const host = await hosts.get(target)
    hosts.refuseUnusable(host)
    const storage = row.backupStorageUuid === null ? undefined : await backupStorage.get(row.backupStorageUuid)
    if (storage) backupStorage.refuseUnusable(storage)
    await packages.kindOf(row)?.checkInstallation({ row, hostUuid: target, config: value })
    const schema = manifest.config as JsonSchema | undefined
    const shown = schema === undefined ? {} : { config: JSON.stringify(withoutSecrets(schema, value)) }
    return call.commit(async (tx) => {
      await packages.begin(tx, uuid, 'install', 'Installing')
      const tag = { pattern: 'installConfig', value: JSON.stringify(shown) }
      await tags.replace(tx, { resourceUuid: uuid, resourceType, ...tag })
      const input = { packageUuid: uuid, config: value, hostUuid: target }
      const submission = { request: call.job, subjectUuid: uuid, input }
      return jobs.enqueue(tx, this.#install, { ...submission, ...nodeOf(host), ...(storage ? nodeOf(storage) : {}) })
    })
  }

  async uninstall(call: Beginning, uuid: string): Promise<{ jobUuid: string }> {
    const { packages, hosts, jobs } = this.#parts
    const before = await packages.get(uuid)
    const kind = packages.kindOf(before)
    await kind?.lookAround(before)
    return call.commit(async (tx) => {
      const row = await packages.get(uuid, tx)
      packages.requireStatus(row, 'uninstall')
      await kind?.refuseInUse(tx, row, 'uninstall')
      if (row.status === 'Initialized') await packages.refuseReferenced(tx, row, 'SYS.1006')
      const host = row.hostUuid === null ? undefined : await hosts.get(row.hostUuid, tx)
      if (host) hosts.refuseUnusable(host)
      const submission = { request: call.job, subjectUuid: uuid, input: { packageUuid: uuid } }
      return jobs.enqueue(tx, this.#uninstall, { ...submission, ...(host ? nodeOf(host) : {}) })
    })
  }

  async delete(call: Beginning, uuid: string, mode: 'Permissive' | 'Enforcing'): Promise<{ jobUuid: string }> {
    const { packages, jobs, hosts, backupStorage } = this.#parts
    const before = await packages.get(uuid)
    const kind = packages.kindOf(before)
    if (mode === 'Enforcing') await jobs.cancelSubject(uuid)
    else await kind?.lookAround(before)
    return call.commit(async (tx) => {
      const row = await packages.get(uuid, tx)
      await jobs.refuseBusy(tx, uuid)
      await packages.refuseReferenced(tx, row, 'SYS.1004')
      if (mode === 'Permissive') await kind?.refuseInUse(tx, row, 'delete')
      const place = await (row.hostUuid === null
        ? backupStorage.get(row.backupStorageUuid ?? '', tx)
        : hosts.get(row.hostUuid, tx))
      const input = { packageUuid: uuid, enforcing: mode === 'Enforcing' }
      const submission = { request: call.job, subjectUuid: uuid, input }
      return jobs.enqueue(tx, this.#delete, { ...submission, ...nodeOf(place) })
    })
  }

  /** What whoever installs it is asked for, and what it is good for besides. */
  async configSchema(uuid: string) {
    const row = await this.#parts.packages.get(uuid)
    const manifest = row.manifest === null ? undefined : this.#parts.packages.manifestOf(row)
    return {
      configSchema: manifest?.config ?? null,
      backupStorageUuid: row.backupStorageUuid,
      canFormCluster: manifest?.cluster?.initialise !== undefined,
    }
  }

  async directoryUsage(nodeUuid: string, directoryPath: string) {
    const folder = checkedDirectory(directoryPath)
    await this.#requireNode(nodeUuid)
    return this.#parts.hosts.usageHere(folder)
  }

  async #requireNode(uuid: string): Promise<void> {
    if (uuid === this.#parts.nodeUuid) return
    if (!(await this.#parts.packages.knowsNode(uuid))) throw notFound('management node', uuid)
    throw new OnAnotherNode(uuid, `this is to be done by management node ${uuid}`)
  }
}

/** Work on a node's own machine, or with a node's own folder, is that node's. */
const nodeOf = ({ managementNodeUuid }: { managementNodeUuid: string | null }) =>
  managementNodeUuid === null ? {} : { managementNodeUuid }

function resumeKeyIn(systemTags: readonly string[]): string | undefined {
  const prefix = 'uploadSoftwarePackage::'
  const key = systemTags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length)
  if (key !== undefined && !/^[\x20-\x7e]{1,128}$/.test(key))
    throw invalid('systemTags: uploadSoftwarePackage:: takes a key of 1 to 128 printable characters')
  return key
}
