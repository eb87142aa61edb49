import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { UnpackedFormat } from '@wharf/archives/unpack.ts'
import { uploadSoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { type HostRow, requireWorkOn } from '../../hosts/service.ts'
import { syncUnpacked } from '../hook-files.ts'
import {
  linkIntoPlace,
  lookAtPlace,
  makeFolders,
  moveIntoPlace,
  removeFolders,
  removeFormerUnpacked,
  removeLinked,
  removeMoved,
  removeUnpacked,
} from '../host-files.ts'
import { checkRealPlace } from '../install-path.ts'
import { inspectFile, keep } from '../transfer.ts'
import { unpackTar, unpackZip } from '../unpacking.ts'
import { zipSpoolOf } from '../zip-spool.ts'
import { arrived, asFound, type Found, forgetSpool, type JobParts, receive, type UploadInput } from './receiving.ts'

interface Memory extends Found {
  /** The topmost of the folders that had to be made for the file. */
  missingFolder: string | null
}

type Context = JobContext<UploadInput, Memory>

/**
 * What lies on the host while the job runs bears the job's name and is given its own in one step, so that a crash
 * leaves nothing that the next try, or the way back, would not know as its own.
 */
export const uploadToHostJob = (parts: JobParts) =>
  job<typeof uploadSoftwarePackage, UploadInput, Memory>(
    uploadSoftwarePackage,
    [
      step('check', (context) => check(context, parts), { undo: (context) => forgetSpool(context, parts) }),
      step('reserve', (context) => reserve(context, parts), { undo: (context) => unreserve(context, parts) }),
      step('transfer', (context) => bring(context, parts), { undo: (context) => remove(context, parts), weight: 8 }),
      step('unpack', (context) => unpack(context, parts), { undo: (context) => unUnpack(context, parts), weight: 2 }),
      step('place', (context) => place(context, parts), { undo: (context) => unplace(context, parts) }),
      step('tidy', (context) => tidy(context, parts)),
    ],
    async (context, tx) => {
      const { installPath } = await parts.packages.get(context.input.packageUuid, tx)
      return arrived(context, parts, tx, unpackedPath(installPath, context.memory))
    },
    ({ input }, tx) => parts.packages.uploadFailed(tx, input.packageUuid),
    { leftBehind: (context) => removeNamedByJob(context, parts) },
  )

interface Target {
  readonly driver: HostDriver
  readonly installPath: string
  /** Until it has its name. */
  readonly part: string
  readonly unpacking: string
  readonly isThisNode: boolean
  readonly host: HostRow
}

async function targetOf({ input, jobUuid }: Context, { packages, hosts }: JobParts): Promise<Target> {
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

const unpackedPath = (installPath: string, { md5 = '', format }: Partial<Memory>): string | null =>
  format === 'file' ? null : `${installPath}_${md5}`

/** Where does the path really lead, and what has to be made for it? */
async function check(context: Context, parts: JobParts): Promise<Partial<Memory>> {
  const { driver, installPath, isThisNode, host } = await targetOf(context, parts)
  const { role } = context.input
  if (role !== undefined) requireWorkOn(host, { role })
  const { realPath, missingFolder, isTaken } = await lookAtPlace(driver, installPath, context.signal)
  // the data folder may itself lie behind a link
  const { data } = parts.settings
  checkRealPlace(realPath, isThisNode ? [data, await realpath(data)] : [])
  // only then, or it would tell what there is in places that nobody may ask about
  if (isTaken) throw new ApiError('SYS.1002', `${installPath} exists already on the host`)
  return { missingFolder }
}

async function reserve(context: Context, parts: JobParts): Promise<void> {
  const { driver, installPath } = await targetOf(context, parts)
  if (context.memory.missingFolder) await makeFolders(driver, dirname(installPath), context.signal)
}

async function unreserve(context: Context, parts: JobParts): Promise<void> {
  const { driver, installPath } = await targetOf(context, parts)
  const { missingFolder } = context.memory
  if (missingFolder) await removeFolders(driver, dirname(installPath), missingFolder, context.signal)
}

async function bring(context: Context, parts: JobParts): Promise<Found> {
  const { signal } = context
  const target = await targetOf(context, parts)
  const { driver, installPath, part } = target
  await removeLinked(driver, part, installPath, signal)
  const { availableCapacity } = await driver.usage(dirname(installPath), { signal })
  const found =
    (await adoptSlices(context, parts, target, availableCapacity)) ??
    (await receive(context, parts, availableCapacity, (bytes, consumes) =>
      driver.put(bytes, part, { signal, consumes }),
    ))
  await linkIntoPlace(driver, part, installPath, signal)
  return found
}

/** Slices that were sent to the very node they are for need not be copied, only looked into. */
async function adoptSlices(
  context: Context,
  { uploads }: JobParts,
  { driver, part }: Target,
  availableBytes: number,
): Promise<Found | undefined> {
  const { input, signal } = context
  const { origin, md5 } = input
  if (!('uploadId' in origin) || md5 === undefined || driver.adopt === undefined) return undefined
  const file = uploads.spoolFile(origin.uploadId)
  const found = await inspectFile({ file, fileName: origin.fileName, md5, availableBytes, signal })
  await driver.adopt(file, part, { signal })
  return asFound(context, found)
}

async function remove(context: Context, parts: JobParts): Promise<void> {
  const { driver, part, installPath } = await targetOf(context, parts)
  const { signal, memory } = context
  // once the step is done the name is ours, also when the other one has been tidied away
  if (memory.md5 !== undefined) await driver.remove(installPath, { signal })
  await removeLinked(driver, part, installPath, signal)
}

async function unpack(context: Context, parts: JobParts): Promise<Partial<Memory>> {
  const { memory, signal } = context
  const { format = 'file', topFolder = null, hookFiles = [] } = memory
  if (format === 'file') return {}
  const { driver, unpacking, host } = await targetOf(context, parts)
  await unpackArchive(context, parts, format)
  const target = { host: host.name, unpacked: unpacking, topFolder }
  return { hookFiles: await syncUnpacked(driver, target, hookFiles, signal) }
}

async function unpackArchive(context: Context, parts: JobParts, format: UnpackedFormat | 'zip'): Promise<void> {
  const { signal, jobUuid } = context
  const { driver, installPath, unpacking: folder } = await targetOf(context, parts)
  const target = { driver, folder, signal }
  await removeFormerUnpacked(driver, folder, signal)
  if (format !== 'zip') return unpackTar(installPath, format, target)
  const spool = zipSpoolOf(parts, jobUuid)
  // another process may have begun this job, or a restart may have swept the spool
  if ((await sizeOf(spool)) !== context.memory.size) await keep(driver.get(installPath, { signal }), spool)
  return unpackZip(spool, target)
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  )

async function unUnpack(context: Context, parts: JobParts): Promise<void> {
  const { driver, unpacking: folder } = await targetOf(context, parts)
  await removeUnpacked(driver, folder, context.signal)
}

/** Whatever stands at the path of the package by now, only what is the same file as this job's goes with it. */
async function removeNamedByJob(context: Context, parts: JobParts): Promise<void> {
  const { driver, part, installPath, unpacking } = await targetOf(context, parts)
  await removeUnpacked(driver, unpacking, context.signal)
  await removeLinked(driver, part, installPath, context.signal)
}

async function place(context: Context, parts: JobParts): Promise<void> {
  const { driver, installPath, unpacking } = await targetOf(context, parts)
  const path = unpackedPath(installPath, context.memory)
  if (path !== null) await moveIntoPlace(driver, unpacking, path, context.signal)
}

async function unplace(context: Context, parts: JobParts): Promise<void> {
  const { driver, installPath, unpacking } = await targetOf(context, parts)
  const path = unpackedPath(installPath, context.memory)
  if (path !== null) await removeMoved(driver, unpacking, path, context.signal)
}

async function tidy(context: Context, parts: JobParts): Promise<void> {
  const { driver, part } = await targetOf(context, parts)
  await driver.remove(part, { signal: context.signal })
  await forgetSpool(context, parts)
}
