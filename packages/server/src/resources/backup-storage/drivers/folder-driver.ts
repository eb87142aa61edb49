import { link, lstat, mkdir, open, readdir, rm, rmdir, stat, statfs, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { spaceIn } from '@wharf/platform/data-disk.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { syncFolder } from '@wharf/platform/sync-folder.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import type { BackupStorageDriver, Capacity, StorageOptions } from '../driver.ts'
import { checkWritable } from './check-writable.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { alreadyExists, supersededUpload } from './path-conflicts.ts'
import { Source } from './source.ts'
import { checkedPath, foldersOf, newPartName, partPrefix } from './storage-path.ts'

const blockBytes = 1024 * 1024
/** A concurrent put may remove the folder when it is empty; it is created again this often. */
const folderAttempts = 50

/** A folder of this node. It never creates the root: a missing root may be a disk that is not mounted. */
export class FolderDriver implements BackupStorageDriver {
  readonly #root: string
  readonly #storage: string
  readonly #data: string

  /** `storage` is its name in error texts; `data` is the data folder, which may share its disk. */
  constructor({ root, storage, data }: { root: string; storage: string; data: string }) {
    this.#root = root
    this.#storage = storage
    this.#data = data
  }

  put(bytes: Readable, path: string, { signal }: StorageOptions): Promise<void> {
    const write = (source: Source): Promise<void> => this.#put(source, checkedPath(path))
    return Source.consume(bytes, signal, write, (error) => folderFailure(error, this.#storage, `write ${path}`))
  }

  async #put(source: Source, path: string): Promise<void> {
    const target = join(this.#root, path)
    const part = join(dirname(target), newPartName(basename(target)))
    let isComplete = false
    await this.#requireRoot()
    if (await exists(target)) throw alreadyExists(path, this.#storage)
    try {
      await this.#write(source, part, path)
      await this.#place(part, target, path)
      isComplete = true
      await rm(part, { force: true })
      await syncFolder(dirname(target))
    } catch (error) {
      for (const left of isComplete ? [part, target] : [part]) await rm(left, { force: true }).catch(() => {})
      await this.#removeEmptyFolders(path)
      throw error
    }
  }

  /** Unlike a rename, a link never replaces a file. */
  async #place(part: string, target: string, path: string): Promise<void> {
    requireOwned()
    try {
      await link(part, target)
    } catch (error) {
      if (await exists(target)) throw alreadyExists(path, this.#storage)
      if (isMissing(error)) throw supersededUpload(path, this.#storage)
      throw error
    }
  }

  async #write(source: Source, part: string, path: string): Promise<void> {
    const handle = await this.#create(part, path)
    try {
      const space = await spaceIn(this.#root, this.#data)
      for await (const block of source.blocks(() => blockBytes)) {
        await space?.claim(block.length)
        await handle.writeFile(block)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async #create(part: string, path: string) {
    for (let attempt = 1; ; attempt++) {
      try {
        // it also fails when the folder is removed meanwhile
        await mkdir(dirname(part), { recursive: true, mode: 0o700 })
        await this.#removeParts(path)
        return await open(part, 'wx', 0o600)
      } catch (error) {
        if (!isMissing(error) || attempt === folderAttempts) throw error
      }
    }
  }

  get(
    path: string,
    { signal, start = 0, end = Number.MAX_SAFE_INTEGER }: StorageOptions & { start?: number; end?: number },
  ): Readable {
    return lazyBytes(signal, (until) => this.#read(path, { start, end, signal: until }))
  }

  async *#read(path: string, { start, end, signal }: { start: number; end: number; signal: AbortSignal }) {
    try {
      const target = join(this.#root, checkedPath(path))
      // checked first, because opening a FIFO could block
      if (!(await stat(target)).isFile()) throw new Error('it is not a file')
      if (end < start) return
      const handle = await open(target)
      yield* handle.createReadStream({ start, end, highWaterMark: blockBytes / 4 })
    } catch (error) {
      signal.throwIfAborted()
      throw folderFailure(error, this.#storage, `read ${path}`)
    }
  }

  async exists(path: string, { signal }: StorageOptions): Promise<boolean> {
    return this.#attempt(`check for ${path}`, signal, async () => {
      await this.#requireRoot()
      return exists(join(this.#root, checkedPath(path)))
    })
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    await this.#attempt(`remove ${path}`, signal, async () => {
      const checked = checkedPath(path)
      await this.#requireRoot()
      // parts first: one of them could still be renamed to the file
      await this.#removeParts(checked).catch(ignoreMissing)
      requireOwned()
      await unlink(join(this.#root, checked)).catch(ignoreMissing)
      await this.#removeEmptyFolders(checked)
    })
  }

  async usage({ signal }: StorageOptions): Promise<Capacity> {
    return this.#attempt('report its capacity', signal, async () => {
      await this.#requireRoot()
      const { blocks, bavail, bsize } = await statfs(this.#root)
      return { totalCapacity: blocks * bsize, availableCapacity: bavail * bsize }
    })
  }

  check(options: StorageOptions): Promise<void> {
    return checkWritable(this, options)
  }

  async close(): Promise<void> {}

  async #attempt<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      throw folderFailure(error, this.#storage, what)
    }
  }

  async #requireRoot(): Promise<void> {
    const root = await stat(this.#root).catch(ignoreMissing)
    if (root?.isDirectory()) return
    throw new ApiError('BS.1003', `the folder ${this.#root} of ${this.#storage} does not exist`)
  }

  /** Left by a killed put of this file. */
  async #removeParts(path: string): Promise<void> {
    const target = join(this.#root, path)
    const prefix = partPrefix(basename(target))
    for (const name of (await readdir(dirname(target))).filter((found) => found.startsWith(prefix))) {
      // when the job has another owner, the part may be that owner's
      requireOwned()
      await rm(join(dirname(target), name), { force: true })
    }
  }

  async #removeEmptyFolders(path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const isRemoved = await rmdir(join(this.#root, folder)).then(
        () => true,
        (error: unknown) => isMissing(error),
      )
      if (!isRemoved) return
    }
  }
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(ignoreMissing)) !== undefined

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'

function folderFailure(error: unknown, storage: string, action: string): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) return new ApiError('SoftwarePackage.1121', `${storage} cannot ${action}: ${reasonOf(error)}`)
  return new ApiError('BS.1500', `${storage} cannot ${action}: ${reasonOf(error)}`, { cause: error })
}
