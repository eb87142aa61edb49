import { closeSync, fchmodSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError, reasonOf } from './operator-error.ts'
import { syncFolder, syncFolderSync } from './sync-folder.ts'

/** Atomic, readable by its owner only, and synced to the disk when this returns. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    fchmodSync(file, 0o600)
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolderSync(dirname(path))
}

/** The same without blocking, for a folder that may hang. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** Of a file that exists. */
export function readText(path: string, remedy: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read: ${reasonOf(cause)}; ${remedy}`, { cause })
  }
}
