import type { BackupStorageDriver } from '@wharf/server/resources/backup-storage/driver.ts'

export interface StorageUnderTest {
  readonly driver: BackupStorageDriver
  /** A driver of the same kind to where nothing answers. */
  readonly unreachable: BackupStorageDriver
  /** Everything that is on the storage, seen past the driver: files with their paths, and whatever is not whole. */
  contents(): Promise<string[]>
  /** Makes a file past the driver, with the folders it takes. */
  place(path: string, bytes: Buffer): Promise<void>
  /** False where a storage has no size. */
  readonly reportsCapacity: boolean
}
