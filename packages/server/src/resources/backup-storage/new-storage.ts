import { isIP } from 'node:net'
import { refusalOf } from '@wharf/downloads/addresses.ts'
import { hostOf, refusedAddress } from '@wharf/downloads/host-addresses.ts'
import { invalid } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { checkedFingerprint } from '@wharf/ssh/host-key.ts'
import { readPrivateKey } from '@wharf/ssh/private-key.ts'
import { checkedTarget } from '@wharf/ssh/target.ts'
import type { Credentials } from './credentials.ts'
import { folderLocation, s3Location, sftpLocation } from './locations.ts'

export interface NewStorage extends Credentials {
  readonly name: string
  readonly type: 'folder' | 'sftp' | 's3'
  readonly url: string
  readonly description?: string | undefined
  readonly hostKeyFingerprint?: string | undefined
  readonly resourceUuid?: string | undefined
}

/** The fields for signing in, and the type that they belong to. */
const fieldTypes = {
  username: 'sftp',
  privateKey: 'sftp',
  hostKeyFingerprint: 'sftp',
  accessKeyId: 's3',
  secretAccessKey: 's3',
  region: 's3',
} as const satisfies Partial<Record<keyof NewStorage, NewStorage['type']>>

const requiredFields = {
  folder: [],
  sftp: ['username'],
  s3: ['accessKeyId', 'secretAccessKey'],
} as const satisfies Record<NewStorage['type'], readonly (keyof NewStorage)[]>

/**
 * Refuses invalid fields, and folders that overlap the data folder. The returned key is in the format of ssh.
 */
export async function checkedNewStorage(
  storage: NewStorage,
  { data, downloadAllow }: { data: string; downloadAllow: readonly Cidr[] },
): Promise<NewStorage> {
  const { type, url } = storage
  for (const [field, belongsTo] of Object.entries(fieldTypes) as [keyof typeof fieldTypes, string][])
    if (storage[field] !== undefined && type !== belongsTo)
      throw invalid(`${field} belongs to type ${belongsTo}, not to ${type}`)
  for (const field of requiredFields[type])
    if (!storage[field]) throw invalid(`${field} is missing; type ${type} needs it`)

  if (type === 'folder') checkFolder(folderLocation(url).root, data)
  else if (type === 's3') checkEndpoint(s3Location(url, storage.region).endpoint, downloadAllow)
  else return checkedSftp(storage)
  return storage
}

async function checkedSftp(storage: NewStorage): Promise<NewStorage> {
  const { url, username = '', hostKeyFingerprint, privateKey } = storage
  checkedTarget({ ...sftpLocation(url), username })
  if (hostKeyFingerprint !== undefined) checkedFingerprint(hostKeyFingerprint)
  if (privateKey === undefined) return storage
  return { ...storage, privateKey: (await readPrivateKey(privateKey)).privateKey.reveal() }
}

/** Checks numeric addresses; each connection checks the addresses of a name. */
function checkEndpoint(endpoint: string | undefined, allow: readonly Cidr[]): void {
  if (endpoint === undefined) return
  const url = new URL(endpoint)
  const host = hostOf(url)
  if (isIP(host) !== 0 && refusalOf(host, allow) !== undefined) throw refusedAddress(url, host, allow)
}

/** The data folder contains keys and the database; a storage around it could reach them. */
function checkFolder(root: string, data: string): void {
  const isInside = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`)
  if (isInside(root, data) || isInside(data, root))
    throw invalid('the folder in the url may not be in the data folder of this node or contain it')
}
