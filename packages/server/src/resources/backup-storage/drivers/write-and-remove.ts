import { Readable } from 'node:stream'
import type { BackupStorageDriver, StorageOptions } from '../driver.ts'
import { newProbeName } from './storage-path.ts'

/** What a storage must be able to do shows when it does it. */
export async function writeAndRemove(
  driver: Pick<BackupStorageDriver, 'put' | 'remove'>,
  options: StorageOptions,
): Promise<void> {
  const name = newProbeName()
  await driver.put(Readable.from([Buffer.from('written to see whether that is possible\n')]), name, options)
  await driver.remove(name, options)
}
