import type { BackupStorageDriver } from '@wharf/server/resources/backup-storage/driver.ts'

export interface StorageUnderTest {
  readonly driver: BackupStorageDriver
  /** A driver of the same kind for an address where nothing answers. */
  readonly unreachable: BackupStorageDriver
  /** Everything that is on the storage, read without the driver: files with their paths, and incomplete ones. */
  contents(): Promise<string[]>
  /** Creates a file without the driver, with its parent folders. */
  place(path: string, bytes: Buffer): Promise<void>
  /** False where a storage has no size. */
  readonly reportsCapacity: boolean
}
