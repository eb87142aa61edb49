import type { AnswerOf, getMigrateImages, Recorded } from '@wharf/contract'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { ImageRow, ReferenceRow } from './store.ts'

type Images = Recorded<AnswerOf<typeof getMigrateImages>>['images']

/** A storage that does not return the end of its file within this time is unreachable. */
const probeMs = 3000

interface ImageInventoryDeps {
  readonly backupStorage: BackupStorageService
  /** The URL that downloads the image. */
  addressOf(uuid: string): string
}

/** The images as the API returns them; the status of each is read from its storage now. */
export async function imageInventories(
  rows: readonly ImageRow[],
  references: readonly ReferenceRow[],
  { backupStorage, addressOf }: ImageInventoryDeps,
): Promise<Images> {
  const shown = await Promise.all(
    rows.map(async (row) => {
      const { uuid, md5Sum, key, packageUuid: _, ...image } = row
      const own = references.filter(({ imageUuid }) => imageUuid === uuid)
      const backupStorageRefs = await Promise.all(
        own.map(async (reference) => {
          const isStored = await isComplete(row, reference, backupStorage)
          return {
            ...reference,
            exportUrl: isStored ? addressOf(uuid) : null,
            exportMd5Sum: md5Sum,
            status: isStored ? ('Ready' as const) : ('Missing' as const),
          }
        }),
      )
      const isReady = backupStorageRefs.some(({ status }) => status === 'Ready')
      const status = isReady ? ('Ready' as const) : ('Missing' as const)
      return [key, { ...image, uuid, md5Sum, ...constantFields, status, backupStorageRefs }] as const
    }),
  )
  return Object.fromEntries(shown)
}

/** The same for every image of a package. */
const constantFields = { type: 'wharf', system: true, guestOsType: null }

/** Whether its last byte can be read and nothing follows. The images of an unreachable storage are missing. */
async function isComplete(
  { actualSize }: ImageRow,
  { backupStorageUuid, installPath }: ReferenceRow,
  backupStorage: BackupStorageService,
): Promise<boolean> {
  const signal = AbortSignal.timeout(probeMs)
  try {
    const { driver } = await backupStorage.usable(backupStorageUuid)
    let bytes = 0
    for await (const chunk of driver.get(installPath, { start: actualSize - 1, end: actualSize, signal }))
      bytes += (chunk as Buffer).length
    return bytes === 1
  } catch (error) {
    // only the node that has the folder can read it
    if (error instanceof WrongNodeError) throw error
    return false
  }
}
