import type { AnswerOf, getMigrateImages, Recorded } from '@wharf/contract'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'
import type { ImageRow, ReferenceRow } from './store.ts'

type Images = Recorded<AnswerOf<typeof getMigrateImages>>['images']

/** A storage that has not shown its file in this time is away. */
const probeMs = 3000

interface Deps {
  readonly backupStorage: BackupStorageService
  /** Downloads the image. */
  addressOf(uuid: string): string
}

/** As the API shows images: whether each is there is asked of its storage now. */
export async function shownImages(
  rows: readonly ImageRow[],
  references: readonly ReferenceRow[],
  { backupStorage, addressOf }: Deps,
): Promise<Images> {
  const shown = await Promise.all(
    rows.map(async (row) => {
      const { uuid, md5Sum, key, packageUuid: _, ...image } = row
      const own = references.filter(({ imageUuid }) => imageUuid === uuid)
      const backupStorageRefs = await Promise.all(
        own.map(async (reference) => {
          const isThere = await isWhole(row, reference, backupStorage)
          return {
            ...reference,
            exportUrl: isThere ? addressOf(uuid) : null,
            exportMd5Sum: md5Sum,
            status: isThere ? ('Ready' as const) : ('Missing' as const),
          }
        }),
      )
      const isReady = backupStorageRefs.some(({ status }) => status === 'Ready')
      const status = isReady ? ('Ready' as const) : ('Missing' as const)
      return [key, { ...image, uuid, md5Sum, ...ours, status, backupStorageRefs }] as const
    }),
  )
  return Object.fromEntries(shown)
}

/** The same for every image that comes with a package. */
const ours = { type: 'wharf', system: true, guestOsType: null }

/** There, and not cut off: its last byte can be read, and nothing follows. A storage that is away has nothing to offer. */
async function isWhole(
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
    // only the node that has the folder can look into it
    if (error instanceof WrongNodeError) throw error
    return false
  }
}
