import type { AnswerOf, Permission, Recorded, uploadSoftwarePackage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { maskedUrl } from '@wharf/downloads/masked-url.ts'
import { parsePackageUrl } from '@wharf/downloads/package-url.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import type { JobDefinition } from '../../jobs/definition.ts'
import type { JobService } from '../../jobs/service.ts'
import type { TagService } from '../tags/service.ts'
import { type Announced, checkResumeKey, readAnnounced } from './announced-digests.ts'
import { type Beginning, nodeOf } from './beginning.ts'
import { checkHostPath, storagePath } from './install-path.ts'
import type { JobParts, UploadInput } from './jobs/receiving.ts'
import { uploadToHostJob } from './jobs/upload-to-host.ts'
import { uploadToStorageJob } from './jobs/upload-to-storage.ts'
import { type NewPackage, type PackageRow, resourceType } from './service.ts'
import { shownPackage } from './shown-package.ts'
import { hiddenUploadUrl } from './upload-url-tags.ts'

type Begun = { jobUuid: string } | Recorded<AnswerOf<typeof uploadSoftwarePackage>>

interface Parts extends JobParts {
  readonly tags: TagService
  readonly jobs: JobService
  readonly nodeUuid: string
}

interface OpenedUpload {
  readonly fileName: string
  readonly size?: number
  readonly permission: Permission
}

interface UploadRequest {
  name: string
  type: string
  url: string
  installPath: string
  resourceUuid?: string | undefined
  tagUuids?: readonly string[] | undefined
}

/** The first part of every upload: what can be refused at once is refused, then record and job are one commit. */
export class UploadStarting {
  readonly #parts: Parts
  readonly #toHost: JobDefinition<UploadInput>
  readonly #toStorage: JobDefinition<UploadInput>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#toHost = uploadToHostJob(parts) as JobDefinition<UploadInput>
    this.#toStorage = uploadToStorageJob(parts) as JobDefinition<UploadInput>
    for (const definition of [this.#toHost, this.#toStorage]) parts.jobs.runner.register(definition as JobDefinition)
    parts.uploads.onFinished((tx, upload) => this.#sliced(tx, upload))
    parts.uploads.onEnded(async (tx, { packageUuid }) => {
      await parts.packages.uploadFailed(tx, packageUuid)
    })
  }

  async uploadToHost(
    call: Beginning,
    request: UploadRequest & { hostUuid: string; managementNodeUuid: string },
  ): Promise<Begun> {
    const { hosts, settings, packages } = this.#parts
    packages.refuseOnHost(request.type)
    const host = await hosts.getForWork(request.hostUuid, call.caller)
    checkHostPath(request.installPath, host.driver === 'local' ? [settings.data] : [])
    await packages.requireNode(request.managementNodeUuid)
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
    const fresh = { ...request, installPath, sentInstallPath: request.installPath, backupStorageUuid: row.uuid }
    return this.#upload(call, request, fresh, this.#toStorage, row)
  }

  async #upload(
    call: Beginning,
    request: UploadRequest,
    fresh: NewPackage,
    definition: JobDefinition<UploadInput>,
    place: { readonly managementNodeUuid: string | null; readonly driver?: string },
  ): Promise<Begun> {
    const { packages, jobs, settings, nodeUuid } = this.#parts
    const source = parsePackageUrl(request.url, { maxBytes: settings.maxPackageBytes })
    const announced = readAnnounced(call.tags.system, source.kind === 'upload' ? source : {})
    if (source.kind === 'upload') checkResumeKey(announced.resumeKey)
    return call.commit(async (tx): Promise<Begun> => {
      if (source.kind === 'upload') {
        // every slice is authorized as the upload itself was
        const permission = place.driver === 'local' ? 'administer' : 'operate'
        return this.#openUpload(tx, call, request, fresh, { ...source, ...announced, permission })
      }
      const row = await packages.create(tx, fresh)
      await this.#tag(tx, call, request, row.uuid)
      const { digests: expected } = announced
      const input: UploadInput = { packageUuid: row.uuid, origin: { url: request.url }, expected }
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
    const tags = { user: given.user, system: given.system.filter((tag) => !tag.startsWith('uploadUrl::')) }
    const added = [`uploadConfig::${effective}`, ...more]
    await this.#parts.tags.attach(tx, { resourceUuid: uuid, resourceType, tags, added, tagUuids })
  }

  /** Answers at once, with the address that takes the slices; the last one starts the job. */
  async #openUpload(
    tx: Tx,
    call: Beginning,
    request: UploadRequest,
    fresh: NewPackage,
    { fileName, size, digests, resumeKey, permission }: Announced & OpenedUpload,
  ): Promise<Begun> {
    const { packages, uploads } = this.#parts
    const { caller, address } = call
    const open = resumeKey === undefined ? undefined : await packages.findResumable(tx, caller, resumeKey, fresh)
    if (open) {
      requireSameDigests(open, digests)
      await uploads.expect(tx, open.id, digests)
      return { inventory: shownPackage(open.row), systemTags: [`uploadUrl::${address()}${open.path}`] }
    }
    const row = await packages.create(tx, fresh)
    const { path } = await uploads.open(tx, {
      packageUuid: row.uuid,
      fileName,
      size,
      ...digests,
      resumeKey,
      permission,
      caller,
    })
    // the address is a credential: in the database stands only that there is one
    await this.#tag(tx, call, request, row.uuid, [hiddenUploadUrl])
    return { inventory: shownPackage(row), systemTags: [`uploadUrl::${address()}${path}`] }
  }

  /** Every byte of an upload is here: the rest is the same job as for any other address. */
  async #sliced(tx: Tx, { id, packageUuid, md5 }: { id: string; packageUuid: string; md5: string }): Promise<void> {
    const { packages, jobs, uploads } = this.#parts
    const row = await packages.get(packageUuid, tx)
    const { caller, fileName } = await uploads.about(tx, id)
    const role = await packages.roleOf(tx, caller.userUuid)
    const input: UploadInput = { packageUuid, origin: { uploadId: id, fileName }, md5, role }
    await jobs.enqueue(tx, row.hostUuid === null ? this.#toStorage : this.#toHost, {
      request: { caller },
      subjectUuid: packageUuid,
      input,
      managementNodeUuid: this.#parts.nodeUuid,
      isFollowUp: true,
    })
    await this.#parts.tags.remove(tx, packageUuid, 'uploadUrl')
  }
}

function requireSameDigests(
  open: { row: PackageRow; md5: string | null; sha256: string | null },
  now: ExpectedDigests,
) {
  for (const kind of ['md5', 'sha256'] as const) {
    const [before, announced] = [open[kind], now[kind]]
    if (before !== null && announced !== undefined && announced !== before)
      throw new ApiError(
        'SYS.1002',
        `an unfinished upload of software package ${open.row.name} with this key was announced with the ${kind} ${before}, not ${announced}; resume it with that one, or delete the package first`,
      )
  }
}
