import type { FieldsOf, updateBackupStorage } from '@wharf/contract'
import { updatedField } from '@wharf/platform/updated-field.ts'
import type { Credentials } from './credentials.ts'
import type { NewStorage } from './new-storage.ts'
import type { BackupStorageRow } from './store.ts'

export type StorageChange = FieldsOf<typeof updateBackupStorage>

/** The fields that decide how a storage is reached. */
const connectionFields = [
  'url',
  'username',
  'privateKey',
  'hostKeyFingerprint',
  'accessKeyId',
  'secretAccessKey',
  'region',
] as const

export const changesConnection = ({ clear = [], ...change }: StorageChange): boolean =>
  connectionFields.some((field) => change[field] !== undefined) || clear.some((field) => field !== 'description')

/** The columns that change without a test of the connection. Refuses a change that contradicts itself. */
export function untestedColumns({ name, description, clear }: StorageChange): Partial<BackupStorageRow> {
  const updated = updatedField(clear, 'description', description)
  return { ...(name === undefined ? {} : { name }), ...(updated === undefined ? {} : { description: updated }) }
}

/** The storage as it would be, to be checked like a new one. */
export function changedStorage(
  { name, type, url }: BackupStorageRow,
  credentials: Credentials,
  change: StorageChange,
): NewStorage {
  const { clear } = change
  const kept = <K extends keyof Credentials>(field: K): Credentials[K] => change[field] ?? credentials[field]
  const cleared = (field: 'privateKey' | 'region'): string | undefined =>
    updatedField(clear, field, change[field]) === null ? undefined : kept(field)
  return {
    name,
    type,
    url: change.url ?? url,
    username: kept('username'),
    privateKey: cleared('privateKey'),
    accessKeyId: kept('accessKeyId'),
    secretAccessKey: kept('secretAccessKey'),
    region: cleared('region'),
    hostKeyFingerprint: change.hostKeyFingerprint,
  }
}
