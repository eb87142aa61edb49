import { uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import { uploads } from '../../../features/uploads/use-uploads.ts'
import { type AddressDraft, fileNameIn } from './AddressFields.tsx'
import type { Place } from './destinations.ts'
import type { Draft } from './drafts.ts'
import { pathIn } from './suggested-path.ts'

interface Target {
  readonly place: Place
  readonly folder: string
  readonly userTags: readonly string[]
}

/** The files go on their way in the background. */
export function send(wharf: Wharf, drafts: readonly Draft[], { place, folder, userTags }: Target): void {
  for (const { file, name, type } of drafts)
    uploads.add(wharf, file, {
      name: name.trim(),
      type,
      installPath: pathIn(folder, file.name),
      userTags,
      ...(place.kind === 'host' ? { hostUuid: place.uuid } : { backupStorageUuid: place.uuid }),
    })
}

/** The server fetches it in a job; the uuid of the package that comes of it. */
export async function uploadFromUrl(
  wharf: Wharf,
  { url, name, type, digest }: AddressDraft,
  { place, folder, userTags }: Target,
): Promise<string> {
  const resourceUuid = newUuid()
  const installPath = pathIn(folder, fileNameIn(url))
  const systemTags = digest.trim() === '' ? [] : [`uploadSoftwarePackage::${digest.trim()}`]
  const common = { name: name.trim(), type, url, installPath, systemTags, userTags, resourceUuid }
  if (place.kind === 'storage')
    await wharf.start(uploadSoftwarePackageToBackupStorage, { ...common, backupStorageUuid: place.uuid })
  else {
    const managementNodeUuid = await nodeFor(wharf, place.uuid)
    await wharf.start(uploadSoftwarePackage, { ...common, hostUuid: place.uuid, managementNodeUuid })
  }
  return resourceUuid
}

/** A host that is a node brings things to itself; to others any node does that lives. */
async function nodeFor(wharf: Wharf, hostUuid: string): Promise<string> {
  const { managementNodeUuid } = await wharf.hosts.one(hostUuid)
  if (managementNodeUuid !== null) return managementNodeUuid
  const { inventories: [node] = [] } = await wharf.managementNodes.query({ q: ['status=Alive'], limit: 1 })
  return node?.uuid ?? ''
}

/** As the API writes them; crypto.randomUUID is not there without TLS. */
const newUuid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
