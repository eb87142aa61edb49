import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { BackupStorageDriver } from '../backup-storage/driver.ts'

interface ClaimTarget {
  readonly driver: Pick<BackupStorageDriver, 'put' | 'get' | 'exists' | 'remove'>
  readonly storage: string
  readonly installPath: string
  readonly packageUuid: string
  readonly signal: AbortSignal
}

/** A file beside the package; no package can have such a name. */
function claimPath(installPath: string): string {
  const { dir, base } = posix.parse(installPath)
  return posix.join(dir, `~claim.${createHash('sha256').update(base).digest('hex').slice(0, 16)}`)
}

/**
 * Two backup storages may be the same folder or bucket. Only the upload that owns the claim writes or removes the file at
 * this path, and the claim is granted only when no file exists at it.
 */
export async function claim(target: ClaimTarget, isEnded: (packageUuid: string) => Promise<boolean>): Promise<void> {
  const { driver, storage, installPath, packageUuid, signal } = target
  const path = claimPath(installPath)
  const write = () => driver.put(Readable.from([Buffer.from(packageUuid)]), path, { signal })
  await write().catch(async (error: unknown) => {
    if (!isTaken(error)) throw error
    const owner = await ownerOf(target)
    if (owner === packageUuid) return
    if (!(await isEnded(owner)))
      throw new ApiError(
        'SYS.1002',
        `${installPath} is being written to ${storage} by another upload; wait until it ends, or remove ${path} there if none is running`,
      )
    await driver.remove(path, { signal })
    await write()
  })
  if (!(await driver.exists(installPath, { signal }))) return
  await driver.remove(path, { signal })
  throw new ApiError(
    'SYS.1002',
    `${installPath} already exists on ${storage}; choose another path, or delete what is there`,
  )
}

/** Has no effect unless this upload owns the claim. */
export async function release(target: ClaimTarget): Promise<void> {
  const { driver, installPath, packageUuid, signal } = target
  const path = claimPath(installPath)
  if (!(await driver.exists(path, { signal })) || (await ownerOf(target)) !== packageUuid) return
  await driver.remove(path, { signal })
}

const ownerOf = async ({ driver, installPath, signal }: ClaimTarget): Promise<string> =>
  (await buffer(driver.get(claimPath(installPath), { signal }))).toString('utf8')

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'SYS.1002'
