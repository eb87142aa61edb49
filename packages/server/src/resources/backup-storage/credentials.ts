import type { Sealing } from '@wharf/platform/sealing.ts'

/** What signs in to a storage, and what belongs to it but to no url. Which of these there are depends on the type. */
export interface Credentials {
  readonly username?: string | undefined
  /** Absent with sftp: the key of the server itself. */
  readonly privateKey?: string | undefined
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly region?: string | undefined
}

const place = (storageUuid: string): string => `backupStorage.credentials.${storageUuid}`

export const sealCredentials = (sealing: Sealing, storageUuid: string, credentials: Credentials): Buffer =>
  sealing.seal(JSON.stringify(credentials), place(storageUuid))

export const openCredentials = (
  sealing: Sealing,
  { uuid, sealedCredentials }: { uuid: string; sealedCredentials: Uint8Array | null },
): Credentials => (sealedCredentials === null ? {} : JSON.parse(sealing.open(sealedCredentials, place(uuid))))
