import type { AnswerOf, Permission, Recorded, ReleaseReference, uploadSoftwarePackage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { maskedUrl } from '@wharf/downloads/masked-url.ts'
import { parsePackageUrl } from '@wharf/downloads/package-url.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import type { CallContext } from '../../../calls/call-context.ts'
import type { Enqueue, Started } from '../../../calls/job-operation.ts'
import type { JobDefinition } from '../../../jobs/definition.ts'
import type { ReleaseRow } from '../../releases/service.ts'
import { type Announced, checkResumeKey, readAnnounced } from '../announced-digests.ts'
import { type NewPackage, type PackageRow, resourceType } from '../service.ts'
import { shownPackage } from '../shown-package.ts'
import { hiddenUploadUrl } from '../upload-url-tags.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import type { UploadInput } from './receive-package.ts'

interface UploadRequest {
  name: string
  type: string
  url: string
  installPath: string
  resourceUuid?: string | undefined
  tagUuids?: readonly string[] | undefined
}

interface Upload {
  readonly request: UploadRequest
  readonly newPackage: NewPackage
  /** The host or backup storage that receives the package. */
  readonly target: {
    readonly uuid: string
    readonly name: string
    readonly managementNodeUuid: string | null
    readonly driver?: string
  }
}

/** The host, or the name of the backup storage, that a job works on. */
const targetOf = (hostUuid: string | null | undefined, target: { readonly uuid: string; readonly name: string }) =>
  hostUuid === target.uuid ? { host: target } : { host: null, storageName: target.name }

interface SlicedUpload extends Announced {
  readonly fileName: string
  readonly size?: number
  /** Every slice is authorized as the upload itself was. */
  readonly permission: Permission
}

/** Commits the record together with its job, or, for an upload in slices, with its upload session. */
export async function startUpload(
  call: CallContext,
  deps: PackageJobDeps,
  upload: Upload,
  enqueue: Enqueue<UploadInput>,
): Promise<Started<typeof uploadSoftwarePackage>> {
  const { packages, settings, nodeUuid } = deps
  const { request, newPackage, target } = upload
  const source = parsePackageUrl(request.url, { maxBytes: settings.maxPackageBytes })
  const announced = readAnnounced(call.tags.system, source.kind === 'upload' ? source : {})
  if (source.kind === 'upload') checkResumeKey(announced.resumeKey)
  if (source.kind === 'release') return startRelease(call, deps, upload, { ...source, ...announced }, enqueue)
  return call.commit(async (tx): Promise<Started<typeof uploadSoftwarePackage>> => {
    if (source.kind === 'upload') {
      const permission = target.driver === 'local' ? 'administer' : 'operate'
      return openSession(tx, call, deps, upload, { ...source, ...announced, permission })
    }
    const row = await packages.create(tx, newPackage)
    await attachTags(tx, call, deps, request, row.uuid)
    return enqueue(tx, {
      subject: row,
      ...targetOf(row.hostUuid, target),
      input: { packageUuid: row.uuid, origin: { url: request.url }, expected: announced.digests },
      // a zip that this node spooled is fetched again when another node continues the job
      managementNodeUuid: source.kind === 'file' ? nodeUuid : target.managementNodeUuid,
    })
  })
}

/** The release is chosen here, by its uuid: the job reads that one, whatever is published or retired later. */
async function startRelease(
  call: CallContext,
  deps: PackageJobDeps,
  { request, newPackage, target }: Upload,
  { reference, digests }: { reference: ReleaseReference } & Announced,
  enqueue: Enqueue<UploadInput>,
): Promise<Started<typeof uploadSoftwarePackage>> {
  const { packages, releases, backupStorage } = deps
  if (newPackage.hostUuid === undefined)
    throw invalid('url: a release is on backup storage already; release:// is for uploads to a host')
  const { uuid } = await releases.getReferred(reference)
  return call.commit(async (tx): Promise<Started<typeof uploadSoftwarePackage>> => {
    const release = await releases.lock(tx, uuid)
    releases.refuseRetired(release)
    requireReleaseDigests(release, digests)
    const storage = await backupStorage.get(release.backupStorageUuid, tx)
    backupStorage.refuseUnusable(storage)
    const row = await packages.create(tx, { ...newPackage, releaseUuid: release.uuid })
    await attachTags(tx, call, deps, request, row.uuid)
    return enqueue(tx, {
      subject: { ...row, version: release.version },
      host: target,
      input: {
        packageUuid: row.uuid,
        origin: { url: `release://${release.uuid}` },
        expected: { sha256: release.sha256 },
      },
      managementNodeUuid: nodeWithBoth(storage, target),
    })
  })
}

/** The node that reads the storage and writes to the host; null when every node can. */
function nodeWithBoth(
  storage: { readonly name: string; readonly managementNodeUuid: string | null },
  host: Upload['target'],
): string | null {
  const [reads, writes] = [storage.managementNodeUuid, host.managementNodeUuid]
  if (reads !== null && writes !== null && reads !== writes)
    throw new ApiError(
      'SYS.1006',
      `backup storage ${storage.name} is a folder of management node ${reads}, and host ${host.name} is the machine of management node ${writes}; add that machine as a host with driver ssh, or publish the release from storage that every node reaches`,
    )
  return reads ?? writes
}

function requireReleaseDigests(release: ReleaseRow, { md5, sha256 }: ExpectedDigests): void {
  const isOther = (announced: string | undefined, known: string) => announced !== undefined && announced !== known
  if (isOther(md5, release.md5sum) || isOther(sha256, release.sha256))
    throw invalid(
      `systemTags: the announced digest is not that of release ${release.name} ${release.version}, whose MD5 is ${release.md5sum} and SHA-256 ${release.sha256}`,
    )
}

/** Attaches the tags of the call, with the `uploadConfig` that took effect in place of the one it sent. */
async function attachTags(
  tx: Tx,
  { tags: sent }: CallContext,
  { tags }: PackageJobDeps,
  request: UploadRequest,
  uuid: string,
  more: string[] = [],
): Promise<void> {
  const { resourceUuid: _, tagUuids, url, ...fields } = request
  const effective = JSON.stringify({ ...fields, url: maskedUrl(url) })
  await tags.attach(tx, {
    resourceUuid: uuid,
    resourceType,
    tags: { user: sent.user, system: sent.system.filter((tag) => !tag.startsWith('uploadUrl::')) },
    added: [`uploadConfig::${effective}`, ...more],
    tagUuids,
  })
}

/** Answers at once with the URL that receives the slices; the last slice enqueues the job. */
async function openSession(
  tx: Tx,
  call: CallContext,
  deps: PackageJobDeps,
  { request, newPackage }: Upload,
  { fileName, size, digests, resumeKey, permission }: SlicedUpload,
): Promise<Recorded<AnswerOf<typeof uploadSoftwarePackage>>> {
  const { packages, uploads } = deps
  const { caller, address } = call
  const open = resumeKey === undefined ? undefined : await packages.findResumable(tx, caller, resumeKey, newPackage)
  if (open) {
    requireSameDigests(open, digests)
    await uploads.expect(tx, open.id, digests)
    return { inventory: shownPackage(open.row), systemTags: [`uploadUrl::${address()}${open.path}`] }
  }
  const row = await packages.create(tx, newPackage)
  const { path } = await uploads.open(tx, {
    packageUuid: row.uuid,
    fileName,
    size,
    ...digests,
    resumeKey,
    permission,
    caller,
  })
  // the URL is a credential, so the database stores only that there is one
  await attachTags(tx, call, deps, request, row.uuid, [hiddenUploadUrl])
  return { inventory: shownPackage(row), systemTags: [`uploadUrl::${address()}${path}`] }
}

/** When all slices of an upload have arrived, its package continues as one from any other source. */
export function followUploads(
  { packages, hosts, backupStorage, jobs, uploads, tags, accounts, nodeUuid }: PackageJobDeps,
  { toHost, toStorage }: Record<'toHost' | 'toStorage', JobDefinition<UploadInput>>,
): void {
  uploads.onFinished(async (tx, { id, packageUuid, md5 }) => {
    const row = await packages.get(packageUuid, tx)
    const { caller, fileName } = await uploads.about(tx, id)
    const { role, userName } = await accounts.currentUser(tx, caller.userUuid)
    const target =
      row.hostUuid === null
        ? await backupStorage.get(row.backupStorageUuid ?? '', tx)
        : await hosts.get(row.hostUuid, tx)
    await jobs.enqueue(tx, row.hostUuid === null ? toStorage : toHost, {
      request: { caller: { ...caller, userName } },
      subject: row,
      ...targetOf(row.hostUuid, target),
      input: { packageUuid, origin: { uploadId: id, fileName }, md5, role },
      managementNodeUuid: nodeUuid,
      isFollowUp: true,
    })
    await tags.detach(tx, packageUuid, 'uploadUrl')
  })
  uploads.onEnded((tx, { packageUuid }) => packages.uploadFailed(tx, packageUuid))
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
