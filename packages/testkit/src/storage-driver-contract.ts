import { after, before, describe } from 'node:test'
import type { BackupStorageDriver } from '@wharf/server/backup-storage/driver.ts'
import { reverseCleanup } from './reverse-cleanup.ts'
import { describeStorageReads } from './storage-driver-reads.ts'
import { describeStorageWrites } from './storage-driver-writes.ts'

export interface StorageUnderTest {
  readonly driver: BackupStorageDriver
  /** A driver of the same kind to where nothing answers. */
  readonly unreachable: BackupStorageDriver
  /** Everything that is on the storage, seen past the driver: files with their paths, and whatever is not whole. */
  contents(): Promise<string[]>
  /** Makes a file past the driver, with the folders it takes. */
  place(path: string, bytes: Buffer): Promise<void>
  /** False where a storage has no size. */
  readonly tellsCapacity: boolean
}

/** What every driver must do; `open` is called once, and what it opens is closed at the end. */
export function storageDriverContract(
  name: string,
  open: (t: { after(work: () => Promise<void>): void }) => Promise<StorageUnderTest>,
): void {
  describe(`backup storage driver ${name}`, () => {
    let opened: StorageUnderTest | undefined
    const cleanup = reverseCleanup({ after })
    before(async () => {
      opened = await open(cleanup)
    })
    const current = (): StorageUnderTest => {
      if (opened === undefined) throw new Error(`the ${name} driver was not opened`)
      return opened
    }
    describeStorageWrites(current)
    describeStorageReads(current)
  })
}
