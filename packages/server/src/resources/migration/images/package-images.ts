import { basename } from 'node:path'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { JobContext } from '../../../jobs/definition.ts'
import type { PackageRow, StoredPackage } from '../../software-packages/service.ts'
import type { ImageRow, ReferenceRow } from '../store.ts'
import { type StoredImage, storeImage } from './store-image.ts'

type Key = ImageRow['key']

const keys: readonly Key[] = ['GatewayImage', 'LinuxBootImage', 'WindowsBootImage']

interface ExtractedImage extends StoredImage {
  readonly key: Key
  readonly file: string
  readonly platform: ImageRow['platform']
  /** `name version` of the package, as wharf.json has it. */
  readonly from: string
}

/** What the job records between extracting the images and inserting their rows. */
export interface ImageRecords {
  readonly taken?: readonly ExtractedImage[]
}

/** Beside the package. No install path may contain `~`, so no other file has this path. */
const pathOf = ({ installPath }: Pick<PackageRow, 'installPath'>, key: Key): string => `${installPath}~images/${key}`

/** Every path at which an image of the package may be stored. */
export const imagePaths = (row: Pick<PackageRow, 'installPath'>): string[] => keys.map((key) => pathOf(row, key))

/** Each image becomes a separate file on the storage, because an archive does not allow reads at an offset. */
export async function extractImages({ signal, log }: JobContext, stored: StoredPackage): Promise<ImageRecords> {
  const { row, manifest, driver } = stored
  const images = manifest?.images ?? []
  if (manifest === null || images.length === 0)
    throw new ApiError('SoftwarePackage.1132', 'a package of type Migrate must contain images, named in its wharf.json')
  const from = `${manifest.name} ${manifest.version}`
  const taken: ExtractedImage[] = []
  // several keys may name one file
  await stored.extract([...new Set(images.map(({ file }) => file))], async (file, data) => {
    const [first, ...others] = images.filter((image) => image.file === file)
    if (first === undefined) return
    const path = pathOf(row, first.key)
    const image = await storeImage(file, data, { driver, path, signal })
    log(`${first.key}: ${image.format}, ${image.actualSize} bytes, MD5 ${image.md5Sum}`)
    taken.push({ ...image, ...first, from })
    for (const other of others) {
      const copy = await storeImage(file, driver.get(path, { signal }), {
        driver,
        path: pathOf(row, other.key),
        signal,
      })
      taken.push({ ...copy, ...other, from })
    }
  })
  return { taken }
}

/** The rows of the images in the database. */
export function imageRecords(row: PackageRow, { taken = [] }: ImageRecords, now: number) {
  const dates = { createDate: now, lastOpDate: now }
  const images: ImageRow[] = []
  const references: ReferenceRow[] = []
  for (const { key, file, platform, from, format, mediaType, size, actualSize, md5Sum } of taken) {
    const uuid = newSequentialUuid()
    images.push({
      uuid,
      packageUuid: row.uuid,
      key,
      name: basename(file).slice(0, 255),
      description: `${key} of ${from}`,
      state: 'Enabled',
      size,
      actualSize,
      md5Sum,
      url: `package://${row.uuid}/${encodeURI(file)}`.slice(0, 2048),
      mediaType,
      platform,
      format,
      ...dates,
    })
    const backupStorageUuid = row.backupStorageUuid ?? ''
    references.push({ imageUuid: uuid, backupStorageUuid, installPath: pathOf(row, key), ...dates })
  }
  return { images, references }
}
