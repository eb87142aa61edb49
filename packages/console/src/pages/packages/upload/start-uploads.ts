import { uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import type { Draft } from '../../../features/uploads/drafts.ts'
import { pathIn } from '../../../features/uploads/suggested-path.ts'
import type { UploadQueue } from '../../../features/uploads/upload-queue.ts'
import { type AddressDraft, fileNameIn } from './address-draft.ts'
import type { Destination } from './destination.ts'

interface Target {
  readonly destination: Destination
  readonly folder: string
  readonly userTags: readonly string[]
}

/** Uploads the files in the background. */
export function startUploads(
  uploads: Pick<UploadQueue, 'add'>,
  wharf: Wharf,
  drafts: readonly Draft[],
  { destination, folder, userTags }: Target,
): void {
  for (const { file, name, type } of drafts)
    uploads.add(wharf, file, {
      name: name.trim(),
      type,
      installPath: pathIn(folder, file.name),
      userTags,
      ...(destination.kind === 'host' ? { hostUuid: destination.uuid } : { backupStorageUuid: destination.uuid }),
    })
}

/** The call that downloads a package, without the node of a host, which the server determines. */
export function urlUploadCall(
  { url, name, type, digest }: AddressDraft,
  { destination, folder, userTags }: Omit<Target, 'destination'> & { readonly destination: Destination | undefined },
) {
  const installPath = url === '' ? '' : pathIn(folder, fileNameIn(url))
  const systemTags = digest.trim() === '' ? [] : [`uploadSoftwarePackage::${digest.trim()}`]
  const common = { name: name.trim(), type, url, installPath, systemTags, userTags }
  return destination?.kind === 'storage'
    ? {
        operation: uploadSoftwarePackageToBackupStorage,
        input: { ...common, backupStorageUuid: destination.uuid },
      }
    : { operation: uploadSoftwarePackage, input: { ...common, hostUuid: destination?.uuid ?? '' } }
}

/** Starts a job that downloads the package, and returns the uuid of the package. */
export async function uploadFromUrl(wharf: Wharf, address: AddressDraft, target: Target): Promise<string> {
  const resourceUuid = newUuid()
  const { input } = urlUploadCall(address, target)
  if ('backupStorageUuid' in input) await wharf.start(uploadSoftwarePackageToBackupStorage, { ...input, resourceUuid })
  else {
    const managementNodeUuid = await nodeFor(wharf, input.hostUuid)
    await wharf.start(uploadSoftwarePackage, { ...input, resourceUuid, managementNodeUuid })
  }
  return resourceUuid
}

/** The node of a local host, or any live node for a remote host. */
async function nodeFor(wharf: Wharf, hostUuid: string): Promise<string> {
  const { managementNodeUuid } = await wharf.hosts.one(hostUuid)
  if (managementNodeUuid !== null) return managementNodeUuid
  const { inventories: [node] = [] } = await wharf.managementNodes.query({ q: ['status=Alive'], limit: 1 })
  return node?.uuid ?? ''
}

/** Without hyphens, as in the API; crypto.randomUUID is not available without TLS. */
const newUuid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
