import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import { DriverCache } from '../../records/driver-cache.ts'
import { openCredentials, sealContext } from './credentials.ts'
import type { BackupStorageDriver } from './driver.ts'
import { FolderDriver } from './drivers/folder-driver.ts'
import { S3Driver } from './drivers/s3-driver.ts'
import { SftpDriver } from './drivers/sftp-driver.ts'
import { folderLocation, s3Location, sftpLocation } from './locations.ts'
import type { BackupStorageRow } from './store.ts'

interface DriverDeps {
  readonly sealing: Sealing
  readonly data: string
  /** Networks that s3 reaches although they are refused by default. */
  readonly downloadAllow: readonly Cidr[]
  /** Roots that s3 trusts besides the system's. */
  readonly caFile?: string | undefined
}

export type BackupStorageDrivers = DriverCache<BackupStorageRow, BackupStorageDriver>

export const backupStorageDrivers = (deps: DriverDeps): BackupStorageDrivers =>
  new DriverCache({ open: (row) => openDriver(row, deps), connectionKey: (row) => connectionKey(row, deps.sealing) })

async function openDriver(
  row: BackupStorageRow,
  { sealing, data, downloadAllow: allow, caFile }: DriverDeps,
): Promise<BackupStorageDriver> {
  const storage = `backup storage ${row.name}`
  if (row.type === 'folder') return new FolderDriver({ ...folderLocation(row.url), storage, data })
  const { username = '', privateKey, accessKeyId = '', secretAccessKey = '', region } = openCredentials(sealing, row)
  if (row.type === 's3') {
    const secret = Secret.of(secretAccessKey)
    return new S3Driver({
      ...s3Location(row.url, region),
      storage,
      accessKeyId,
      secretAccessKey: secret,
      allow,
      caFile,
    })
  }
  return new SftpDriver({
    ...sftpLocation(row.url),
    storage,
    username,
    hostKey: row.hostKey ?? '',
    privateKey: privateKey === undefined ? (await ensureServerKey(data)).privateKey : Secret.of(privateKey),
    onlyThisKey: privateKey !== undefined,
  })
}

/** By the credentials themselves: a rotation of the master key reseals them, and must not close the connection. */
function connectionKey({ type, url, hostKey, sealedCredentials, uuid }: BackupStorageRow, sealing: Sealing): string {
  const credentials = sealedCredentials && sealing.identify(sealedCredentials, sealContext(uuid))
  return JSON.stringify([type, url, hostKey, credentials])
}
