import { uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { claim, release } from '../storage-claim.ts'
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
      step('reserve', (context) => reserve(context, parts), { undo: (context) => tidy(context, parts) }),
      step('transfer', (context) => bring(context, parts), { undo: (context) => remove(context, parts), weight: 8 }),
      step('unpack', (context) => unpackKind(context, parts), { undo: (context) => unUnpack(context, parts) }),
      step('tidy', (context) => tidy(context, parts)),
    ],
    async (context, tx) => {
      const answer = await arrived(context, parts, tx, null)
      const row = await parts.packages.get(context.input.packageUuid, tx)
      await parts.packages.kindOf(row)?.stored(tx, row, context.memory.unpacked ?? {})
      return answer
    },
    ({ input }, tx) => parts.packages.uploadFailed(tx, input.packageUuid),
  )

async function placeOf({ input, signal }: Context, { packages, backupStorage }: JobParts) {
  const { installPath, backupStorageUuid } = await packages.get(input.packageUuid)
  const row = await backupStorage.get(backupStorageUuid ?? '')
  const driver = await backupStorage.drivers.of(row)
  return { driver, storage: `backup storage ${row.name}`, installPath, packageUuid: input.packageUuid, signal }
}

/** The record has reserved the path among the packages of this storage; the claim reserves it on the storage itself. */
async function reserve(context: Context, parts: JobParts): Promise<void> {
  const { backupStorageUuid } = await parts.packages.get(context.input.packageUuid)
  await parts.backupStorage.usable(backupStorageUuid ?? '')
  await claim(await placeOf(context, parts), (uuid) => parts.packages.isUploadEnded(uuid))
}

async function tidy(context: Context, parts: JobParts): Promise<void> {
  await release(await placeOf(context, parts))
  await forgetSpool(context, parts)
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

async function remove(context: Context, parts: JobParts): Promise<void> {
  const { driver, installPath, signal } = await placeOf(context, parts)
  await driver.remove(installPath, { signal })
}

async function unUnpack(context: Context, parts: JobParts): Promise<void> {
  const row = await parts.packages.get(context.input.packageUuid)
  await parts.packages.kindOf(row)?.removeUnpacked(context, row)
}
