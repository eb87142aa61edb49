import { uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import { type JobContext, job, step } from '../../jobs/definition.ts'
import { ApiError } from '../../platform/api-error.ts'
import { unpackKind } from './kind-steps.ts'
import { arrived, type Found, forgetSpool, type JobParts, receive, type UploadInput } from './receiving.ts'

interface Memory extends Found {
  /** What came of unpacking it, when it is of a kind. */
  unpacked: object
}

type Context = JobContext<UploadInput, Memory>

/** On backup storage a package is kept as it is: checked on the way, unpacked where it is installed or by its kind. */
export const uploadToStorageJob = (parts: JobParts) =>
  job<typeof uploadSoftwarePackageToBackupStorage, UploadInput, Memory>(
    uploadSoftwarePackageToBackupStorage,
    [
      step('reserve', (context) => reserve(context, parts), { undo: (context) => forgetSpool(context, parts) }),
      step('transfer', (context) => bring(context, parts), { undo: (context) => remove(context, parts), weight: 8 }),
      step('unpack', (context) => unpackKind(context, parts), { undo: (context) => unUnpack(context, parts) }),
      step('tidy', (context) => forgetSpool(context, parts)),
    ],
    async (context, tx) => {
      const answer = await arrived(context, parts, tx, null)
      const row = await parts.packages.get(context.input.packageUuid, tx)
      await parts.packages.kindOf(row)?.stored(tx, row, context.memory.unpacked ?? {})
      return answer
    },
    ({ input }, tx) => parts.packages.uploadFailed(tx, input.packageUuid),
  )

/** The record has taken the place among packages; here it is seen that no other file stands there. */
async function reserve({ input, signal }: Context, parts: JobParts): Promise<void> {
  const { installPath, backupStorageUuid } = await parts.packages.get(input.packageUuid)
  const { driver, row } = await parts.backupStorage.usable(backupStorageUuid ?? '')
  if (await driver.exists(installPath, { signal }))
    throw new ApiError('SYS.1002', `${installPath} exists already on backup storage ${row.name}`)
}

async function bring(context: Context, parts: JobParts): Promise<Found> {
  const { input, signal } = context
  const { installPath, backupStorageUuid } = await parts.packages.get(input.packageUuid)
  const { driver } = await parts.backupStorage.usable(backupStorageUuid ?? '')
  // an earlier try may have come to its end unheard
  await driver.remove(installPath, { signal })
  const { availableCapacity, totalCapacity } = await driver.usage({ signal })
  // a storage that does not tell its size has room until it says otherwise
  const room = totalCapacity === 0 ? Number.MAX_SAFE_INTEGER : availableCapacity
  return receive(context, parts, room, (bytes) => driver.put(bytes, installPath, { signal }))
}

async function remove({ input, signal }: Context, parts: JobParts): Promise<void> {
  const { installPath, backupStorageUuid } = await parts.packages.get(input.packageUuid)
  const driver = await parts.backupStorage.drivers.of(await parts.backupStorage.get(backupStorageUuid ?? ''))
  await driver.remove(installPath, { signal })
}

async function unUnpack(context: Context, parts: JobParts): Promise<void> {
  const row = await parts.packages.get(context.input.packageUuid)
  await parts.packages.kindOf(row)?.removeUnpacked(context, row)
}
