import { uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { normalizeStoragePath } from '../install-path.ts'
import { claim, release } from '../storage-claim.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { type Inspected, publishPackage, receive, removeJobSpool, type UploadInput } from './receive-package.ts'
import { startUpload } from './start-upload.ts'
import { unpackKind } from './unpack-kind.ts'

interface Results extends Inspected {
  /** The result of `unpack` of its kind, if it has one. */
  unpacked: object
}

type Context = JobContext<UploadInput, Results>

/** Backup storage stores a package as it is: inspected in transit, unpacked on its host or by its kind. */
export const uploadToStorageJob = (
  deps: PackageJobDeps,
): JobOperation<typeof uploadSoftwarePackageToBackupStorage, UploadInput, Results> => ({
  operation: uploadSoftwarePackageToBackupStorage,
  async start(call, enqueue) {
    const { backupStorage } = deps
    const { fields: request } = call
    const installPath = normalizeStoragePath(request.installPath)
    const storage =
      request.backupStorageUuid === undefined
        ? // a relayed call was sent to this node for the free space here
          await backupStorage.mostFreeSpace({ isReachable: call.isRelayed })
        : await backupStorage.get(request.backupStorageUuid)
    backupStorage.refuseUnusable(storage)
    const { uuid: backupStorageUuid } = storage
    const newPackage = { ...request, installPath, sentInstallPath: request.installPath, backupStorageUuid }
    return startUpload(call, deps, { request, newPackage, target: storage }, enqueue)
  },
  steps: [
    step('reserve', (context) => reserve(context, deps), { undo: (context) => tidy(context, deps) }),
    step('transfer', (context) => transferToStorage(context, deps), {
      undo: (context) => remove(context, deps),
      weight: 8,
    }),
    step('unpack', (context) => unpackKind(context, deps), { undo: (context) => removeUnpacked(context, deps) }),
    step('tidy', (context) => tidy(context, deps)),
  ],
  async succeeded(context, tx) {
    const answer = await publishPackage(context, deps, tx, null)
    const row = await deps.packages.get(context.input.packageUuid, tx)
    await deps.packages.kindOf(row)?.stored(tx, row, context.stepResults.unpacked ?? {})
    return answer
  },
  failed: ({ input }, tx) => deps.packages.uploadFailed(tx, input.packageUuid),
  prepareRetry: (tx, uuid) => deps.packages.removeFailedUpload(tx, uuid),
})

async function targetOf({ input, signal }: Context, { packages, backupStorage }: PackageJobDeps) {
  const { installPath, backupStorageUuid } = await packages.get(input.packageUuid)
  const row = await backupStorage.get(backupStorageUuid ?? '')
  const driver = await backupStorage.drivers.of(row)
  return { driver, storage: `backup storage ${row.name}`, installPath, packageUuid: input.packageUuid, signal }
}

/** The record has reserved the path among the packages of this storage; the claim reserves it on the storage itself. */
async function reserve(context: Context, deps: PackageJobDeps): Promise<void> {
  const { backupStorageUuid } = await deps.packages.get(context.input.packageUuid)
  await deps.backupStorage.usable(backupStorageUuid ?? '')
  await claim(await targetOf(context, deps), (uuid) => deps.packages.isUploadEnded(uuid))
}

async function tidy(context: Context, deps: PackageJobDeps): Promise<void> {
  await release(await targetOf(context, deps))
  await removeJobSpool(context, deps)
}

async function transferToStorage(context: Context, deps: PackageJobDeps): Promise<Inspected> {
  const { input, signal } = context
  const { installPath, backupStorageUuid } = await deps.packages.get(input.packageUuid)
  const { driver } = await deps.backupStorage.usable(backupStorageUuid ?? '')
  // an earlier attempt may have succeeded without its result being recorded
  await driver.remove(installPath, { signal })
  const { availableCapacity, totalCapacity } = await driver.usage({ signal })
  // a storage that does not report its size is considered unlimited until a write fails
  const availableBytes = totalCapacity === 0 ? Number.MAX_SAFE_INTEGER : availableCapacity
  // a release is identified by its SHA-256
  return receive(context, deps, availableBytes, (bytes) => driver.put(bytes, installPath, { signal }), {
    withSha256: true,
  })
}

async function remove(context: Context, deps: PackageJobDeps): Promise<void> {
  const { driver, installPath, signal } = await targetOf(context, deps)
  await driver.remove(installPath, { signal })
}

async function removeUnpacked(context: Context, deps: PackageJobDeps): Promise<void> {
  const row = await deps.packages.get(context.input.packageUuid)
  await deps.packages.kindOf(row)?.removeUnpacked(context, row)
}
