import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { BackupStorageDriver } from '../backup-storage/driver.ts'

interface Place {
  readonly driver: Pick<BackupStorageDriver, 'put' | 'get' | 'exists' | 'remove'>
  readonly storage: string
  readonly installPath: string
  readonly packageUuid: string
  readonly signal: AbortSignal
}

/** The file beside the place of a package; no package can have such a name. */
function claimPath(installPath: string): string {
  const { dir, base } = posix.parse(installPath)
  return posix.join(dir, `~claim.${createHash('sha256').update(base).digest('hex').slice(0, 16)}`)
}

/**
 * Two backup storages may be one and the same folder or bucket. Only the upload that holds the claim writes or removes
 * the file at this path, and the claim is granted only where there is no file.
 */
export async function claim(place: Place, isEnded: (packageUuid: string) => Promise<boolean>): Promise<void> {
  const { driver, storage, installPath, packageUuid, signal } = place
  const path = claimPath(installPath)
  const write = () => driver.put(Readable.from([Buffer.from(packageUuid)]), path, { signal })
  await write().catch(async (error: unknown) => {
    if (!isTaken(error)) throw error
    const holder = await holderOf(place)
    if (holder === packageUuid) return
    if (!(await isEnded(holder)))
      throw new ApiError(
        'SYS.1002',
        `${installPath} is being written to ${storage} by another upload; wait until it ends, or remove ${path} there if none is running`,
      )
    await driver.remove(path, { signal })
    await write()
  })
  if (!(await driver.exists(installPath, { signal }))) return
  await driver.remove(path, { signal })
  throw new ApiError('SYS.1002', `${installPath} exists already on ${storage}`)
}

/** Without effect unless this upload holds it. */
export async function release(place: Place): Promise<void> {
  const { driver, installPath, packageUuid, signal } = place
  const path = claimPath(installPath)
  if (!(await driver.exists(path, { signal })) || (await holderOf(place)) !== packageUuid) return
  await driver.remove(path, { signal })
}

const holderOf = async ({ driver, installPath, signal }: Place): Promise<string> =>
  (await buffer(driver.get(claimPath(installPath), { signal }))).toString('utf8')

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'SYS.1002'
