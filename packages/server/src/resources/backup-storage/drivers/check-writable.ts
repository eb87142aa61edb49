import { Readable } from 'node:stream'
import type { BackupStorageDriver, StorageOptions } from '../driver.ts'
import { newProbeName } from './storage-path.ts'

/** Writes a file and removes it. */
export async function checkWritable(
  driver: Pick<BackupStorageDriver, 'put' | 'remove'>,
  options: StorageOptions,
): Promise<void> {
  const name = newProbeName()
  await driver.put(Readable.from([Buffer.from('This file tests whether Wharf can write here.\n')]), name, options)
  await driver.remove(name, options)
}
