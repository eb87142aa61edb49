import { access, constants, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isUuid, normalizeUuid } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { createPrivateFile } from '@wharf/platform/private-file.ts'
import type { DigestTarget } from '../../audit/copied-digests.ts'
import type { BackupStorageService } from '../backup-storage/service.ts'

/** The folder of the digests on a backup storage. */
const folderOnStorage = 'audit-digests'
const writeMs = 60_000

interface TargetDeps {
  readonly backupStorage: Pick<BackupStorageService, 'usable' | 'findByName'>
}

/** The place that WHARF_AUDIT_DIGESTS names: a folder when it contains a slash, otherwise a backup storage. */
export function digestTarget(setting: string | undefined, { backupStorage }: TargetDeps): DigestTarget | undefined {
  if (setting === undefined) return undefined
  return setting.includes('/') ? folderTarget(setting) : storageTarget(setting, backupStorage)
}

const folderTarget = (folder: string): DigestTarget => {
  // not created: in a folder whose mount is missing, the digests would be next to the database that they prove
  const check = (): Promise<void> =>
    access(folder, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      throw new OperatorError('the folder does not exist; create it, or mount what contains it', { cause })
    })
  return {
    name: folder,
    check,
    async write(fileName, text) {
      const path = join(folder, fileName)
      const isEqual = await hasText(path, text)
      if (isEqual === undefined) await createPrivateFile(path, text)
      return isEqual ?? true
    },
  }
}

/** Opening a pipe would wait for its writer. */
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK

/** Undefined when the file does not exist. Reads no more than one byte beyond the text. */
async function hasText(path: string, text: string): Promise<boolean | undefined> {
  const file = await open(path, readFlags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const expected = Buffer.from(text)
    if (!(await file.stat()).isFile()) return false
    const { bytesRead, buffer } = await file.read(Buffer.alloc(expected.length + 1))
    return buffer.subarray(0, bytesRead).equals(expected)
  } finally {
    await file.close()
  }
}

function storageTarget(reference: string, backupStorage: TargetDeps['backupStorage']): DigestTarget {
  const usable = async () => {
    const uuid = isUuid(normalizeUuid(reference)) ? normalizeUuid(reference) : await uuidOf(reference, backupStorage)
    return backupStorage.usable(uuid)
  }
  return {
    name: reference,
    check: async () => void (await usable()),
    async write(fileName, content) {
      const { driver } = await usable()
      const path = `${folderOnStorage}/${fileName}`
      const signal = AbortSignal.timeout(writeMs)
      const expected = Buffer.from(content)
      if (await driver.exists(path, { signal })) {
        // one byte more, so that a longer file differs
        const stored = driver.get(path, { signal, start: 0, end: expected.length })
        return (await buffer(stored)).equals(expected)
      }
      await driver.put(Readable.from([expected]), path, { signal })
      return true
    },
  }
}

async function uuidOf(name: string, backupStorage: TargetDeps['backupStorage']): Promise<string> {
  const found = await backupStorage.findByName(name)
  if (found !== undefined) return found
  throw new ApiError('SYS.1003', `WHARF_AUDIT_DIGESTS names the backup storage ${name}, which does not exist`)
}
