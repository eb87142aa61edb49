import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { uploadSoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, type Step, step } from '../../../jobs/definition.ts'
import { currentOwnership } from '../../../jobs/ownership.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { type HostRow, requireWorkOn } from '../../hosts/service.ts'
import { publishUnpacked } from '../hook-files.ts'
import {
  linkIntoPlace,
  makeFolders,
  removeFolders,
  removeFormerUnpackedScript,
  removeLinked,
  removeMoved,
  removeUnpacked,
} from '../host-files.ts'
import { checkHostPath, checkRealPath } from '../install-path.ts'
import { inspectFile, writeSpool } from '../transfer.ts'
import { unpackTar, unpackZip } from '../unpack-on-host.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import {
  checkInspected,
  type Inspected,
  publishPackage,
  receive,
  removeJobSpool,
  type UploadInput,
} from './receive-package.ts'
import { sendRelease } from './send-release.ts'
import { startUpload } from './start-upload.ts'

export interface TransferResults extends Inspected {
  /** The topmost of the folders that had to be created for the file. */
  missingFolder: string | null
  /** In the file system of the package, before anything was written. */
  availableBytes: number
  /** The file has no longer the name of the job. */
  isPartRemoved: boolean
}

type Context = JobContext<UploadInput, TransferResults>

/**
 * Files on the host bear the job's uuid while the job runs and are renamed in one step, so that after a crash the next
 * attempt, or the undo, recognises them as its own.
 */
export const uploadToHostJob = (
  deps: PackageJobDeps,
): JobOperation<typeof uploadSoftwarePackage, UploadInput, TransferResults> => ({
  operation: uploadSoftwarePackage,
  async start(call, enqueue) {
    const { hosts, settings, packages } = deps
    const { fields: request } = call
    packages.refuseOnHost(request.type)
    const host = await hosts.getForWork(request.hostUuid, call.caller)
    checkHostPath(request.installPath, host.driver === 'local' ? [settings.data] : [])
    await packages.requireNode(request.managementNodeUuid)
    hosts.refuseUnusable(host)
    return startUpload(call, deps, { request, newPackage: request, target: host }, enqueue)
  },
  steps: hostTransferSteps(deps),
  async succeeded(context, tx) {
    const { installPath } = await deps.packages.get(context.input.packageUuid, tx)
    return publishPackage(context, deps, tx, unpackedPath(installPath, context.stepResults))
  },
  failed: ({ input }, tx) => deps.packages.uploadFailed(tx, input.packageUuid),
  prepareRetry: (tx, uuid) => deps.packages.removeFailedUpload(tx, uuid),
  removeLeftovers: (context) => removeNamedByJob(context, deps),
})

/** The record exists; these create its files. */
export const hostTransferSteps = (deps: PackageJobDeps): readonly Step<UploadInput, TransferResults>[] => [
  step('check', (context) => check(context, deps), { undo: (context) => removeJobSpool(context, deps) }),
  step('transfer', (context) => transferToHost(context, deps), {
    undo: (context) => remove(context, deps),
    weight: 9,
  }),
  step('unpack', (context) => unpack(context, deps), {
    undo: (context) => removeUnpackedFolder(context, deps),
    weight: 2,
  }),
  step('place', (context) => place(context, deps), { undo: (context) => unplace(context, deps) }),
  step('tidy', (context) => tidy(context, deps)),
]

/** Another process may have started the step; the first owner of a job has the fence 1. */
const isResumed = (): boolean => currentOwnership()?.fence !== 1

interface Target {
  readonly driver: HostDriver
  readonly installPath: string
  /** The name of the file until it is linked to `installPath`. */
  readonly part: string
  readonly unpacking: string
  readonly isThisNode: boolean
  readonly host: HostRow
}

async function targetOf({ input, jobUuid }: Context, { packages, hosts }: PackageJobDeps): Promise<Target> {
  const { installPath, hostUuid } = await packages.get(input.packageUuid)
  const host = await hosts.get(hostUuid ?? '')
  return {
    driver: await hosts.drivers.of(host),
    installPath,
    part: `${installPath}.${jobUuid}.part`,
    unpacking: `${installPath}.${jobUuid}.unpacking`,
    isThisNode: host.driver === 'local',
    host,
  }
}

export const unpackedPath = (installPath: string, { md5 = '', format }: Partial<TransferResults>): string | null =>
  format === 'file' ? null : `${installPath}_${md5}`

/** Checks the real path, and which folders have to be created for it. */
async function check(context: Context, deps: PackageJobDeps): Promise<Partial<TransferResults>> {
  const { driver, installPath, isThisNode, host } = await targetOf(context, deps)
  const { role } = context.input
  if (role !== undefined) requireWorkOn(host, { role })
  const inspection = await driver.inspectPath(installPath, { signal: context.signal })
  const { realPath, missingFolder, isTaken, usage } = inspection
  // the data folder may itself be reached by a link
  const { data } = deps.settings
  checkRealPath(realPath, isThisNode ? [data, await realpath(data)] : [])
  // only now: before the check it would reveal which files exist in forbidden folders
  if (isTaken)
    throw new ApiError(
      'SYS.1002',
      `${installPath} already exists on the host; choose another path, or delete what is there`,
    )
  return { missingFolder, availableBytes: usage.availableCapacity }
}

async function transferToHost(context: Context, deps: PackageJobDeps): Promise<Inspected> {
  const { signal, stepResults } = context
  const target = await targetOf(context, deps)
  const { driver, installPath, part } = target
  let { availableBytes } = stepResults
  if (isResumed()) {
    await removeLinked(driver, part, installPath, signal)
    availableBytes = undefined
  }
  availableBytes ??= (await driver.usage(dirname(installPath), { signal })).availableCapacity
  const names = { linkPath: installPath, createFolders: Boolean(stepResults.missingFolder) }
  return (
    (await adoptSlices(context, deps, target, availableBytes)) ??
    (await sendRelease(context, deps, { driver, path: part, names, availableBytes })) ??
    (await receive(context, deps, availableBytes, (bytes, options) =>
      driver.put(bytes, part, { ...options, ...names, signal }),
    ))
  )
}

/** Slices that were sent to the node they are for are inspected and linked, not copied. */
async function adoptSlices(
  context: Context,
  { uploads }: PackageJobDeps,
  { driver, part, installPath }: Target,
  availableBytes: number,
): Promise<Inspected | undefined> {
  const { input, signal, stepResults } = context
  const { origin, md5 } = input
  if (!('uploadId' in origin) || md5 === undefined || driver.adopt === undefined) return undefined
  const file = uploads.spoolFile(origin.uploadId)
  const result = await inspectFile({ file, fileName: origin.fileName, md5, availableBytes, signal })
  if (stepResults.missingFolder) await makeFolders(driver, dirname(installPath), signal)
  await driver.adopt(file, part, { signal })
  const inspected = checkInspected(context, result)
  await linkIntoPlace(driver, part, installPath, signal)
  return inspected
}

async function remove(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, part, installPath } = await targetOf(context, deps)
  const { signal, stepResults } = context
  // once the step is done this job owns the name, also when the part is already removed
  if (stepResults.md5 !== undefined) await driver.remove(installPath, { signal })
  await removeLinked(driver, part, installPath, signal)
  const { missingFolder } = stepResults
  if (missingFolder) await removeFolders(driver, dirname(installPath), missingFolder, signal)
}

async function unpack(context: Context, deps: PackageJobDeps): Promise<void> {
  const { signal, jobUuid, stepResults } = context
  const { format = 'file' } = stepResults
  if (format === 'file') return
  const { driver, installPath, unpacking: folder } = await targetOf(context, deps)
  const target = { driver, folder, signal, before: removeFormerUnpackedScript }
  if (format !== 'zip') return unpackTar(installPath, format, target)
  const spool = zipSpoolOf(deps, jobUuid)
  // another process may have started this job, or a restart may have emptied the spool
  if ((await sizeOf(spool)) !== stepResults.size) await writeSpool(driver.get(installPath, { signal }), spool)
  return unpackZip(spool, target)
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  )

async function removeUnpackedFolder(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, unpacking: folder } = await targetOf(context, deps)
  await removeUnpacked(driver, folder, context.signal)
}

/** Another file may be at the package's path by now: it is removed only when it is the same file as this job's. */
export async function removeNamedByJob(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, part, installPath, unpacking } = await targetOf(context, deps)
  await removeUnpacked(driver, unpacking, context.signal)
  await removeLinked(driver, part, installPath, context.signal)
}

/** The name of the job is removed together with it, which costs no further program. */
async function place(context: Context, deps: PackageJobDeps): Promise<Partial<TransferResults>> {
  const { stepResults, signal } = context
  const { driver, installPath, unpacking, part, host } = await targetOf(context, deps)
  const path = unpackedPath(installPath, stepResults)
  if (path === null) return {}
  const { topFolder = null, hookFiles = [] } = stepResults
  const target = { host: host.name, unpacked: unpacking, topFolder, path, part }
  return { hookFiles: await publishUnpacked(driver, target, hookFiles, signal), isPartRemoved: true }
}

async function unplace(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, installPath, unpacking } = await targetOf(context, deps)
  const path = unpackedPath(installPath, context.stepResults)
  if (path !== null) await removeMoved(driver, unpacking, path, context.signal)
}

async function tidy(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, part } = await targetOf(context, deps)
  if (!context.stepResults.isPartRemoved) await driver.remove(part, { signal: context.signal })
  await removeJobSpool(context, deps)
}
