import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isUuid, normalizeUuid } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { writePrivateFile } from '@wharf/platform/private-file.ts'
import type { DigestTarget } from '../../audit/digests.ts'
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

const folderTarget = (folder: string): DigestTarget => ({
  name: folder,
  async write(fileName, text) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, fileName)
    if (!existsSync(path)) writePrivateFile(path, text)
  },
})

const storageTarget = (reference: string, backupStorage: TargetDeps['backupStorage']): DigestTarget => ({
  name: reference,
  async write(fileName, text) {
    const uuid = isUuid(normalizeUuid(reference)) ? normalizeUuid(reference) : await uuidOf(reference, backupStorage)
    const { driver } = await backupStorage.usable(uuid)
    const path = `${folderOnStorage}/${fileName}`
    const signal = AbortSignal.timeout(writeMs)
    if (!(await driver.exists(path, { signal }))) await driver.put(Readable.from([Buffer.from(text)]), path, { signal })
  },
})

async function uuidOf(name: string, backupStorage: TargetDeps['backupStorage']): Promise<string> {
  const found = await backupStorage.findByName(name)
  if (found !== undefined) return found
  throw new ApiError('SYS.1003', `WHARF_AUDIT_DIGESTS names the backup storage ${name}, which does not exist`)
}
