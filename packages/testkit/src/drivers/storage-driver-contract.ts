import { after, before, describe } from 'node:test'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { describeStorageReads } from './storage-driver-reads.ts'
import { describeStorageWrites } from './storage-driver-writes.ts'
import type { StorageUnderTest } from './storage-under-test.ts'

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
