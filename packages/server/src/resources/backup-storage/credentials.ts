import type { Sealing } from '@wharf/platform/sealing.ts'

/** The settings of a storage that are not part of its url; which are present depends on the type. */
export interface Credentials {
  readonly username?: string | undefined
  /** When it is absent, sftp uses the server's own key. */
  readonly privateKey?: string | undefined
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly region?: string | undefined
}

export const sealContext = (storageUuid: string): string => `backupStorage.credentials.${storageUuid}`

export const sealCredentials = (sealing: Sealing, storageUuid: string, credentials: Credentials): Buffer =>
  sealing.seal(JSON.stringify(credentials), sealContext(storageUuid))

export const openCredentials = (
  sealing: Sealing,
  { uuid, sealedCredentials }: { uuid: string; sealedCredentials: Uint8Array | null },
): Credentials => (sealedCredentials === null ? {} : JSON.parse(sealing.open(sealedCredentials, sealContext(uuid))))
