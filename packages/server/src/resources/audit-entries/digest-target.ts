import { existsSync, readFileSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isUuid, normalizeUuid } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { writePrivateFile } from '@wharf/platform/private-file.ts'
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
  const check = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  }
  return {
    name: folder,
    check,
    async write(fileName, text) {
      const path = join(folder, fileName)
      if (!existsSync(path)) writePrivateFile(path, text)
      else if (readFileSync(path, 'utf8') !== text) throw otherContent(fileName)
    },
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
      if (!(await driver.exists(path, { signal })))
        await driver.put(Readable.from([Buffer.from(content)]), path, { signal })
      else if ((await text(driver.get(path, { signal }))) !== content) throw otherContent(fileName)
    },
  }
}

/** Of a trail that was lost when a backup was restored, or of a forged one: both are evidence, so it is not replaced. */
const otherContent = (fileName: string): OperatorError =>
  new OperatorError(`${fileName} exists with another digest; find out why, then move it to another place and keep it`)

async function uuidOf(name: string, backupStorage: TargetDeps['backupStorage']): Promise<string> {
  const found = await backupStorage.findByName(name)
  if (found !== undefined) return found
  throw new ApiError('SYS.1003', `WHARF_AUDIT_DIGESTS names the backup storage ${name}, which does not exist`)
}
