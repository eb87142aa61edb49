import { link, lstat, mkdir, open, readdir, rm, rmdir, stat, statfs, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { spaceIn } from '@wharf/platform/data-disk.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import type { BackupStorageDriver, Capacity, StorageOptions } from '../driver.ts'
import { folderFailure, isMissing } from './folder-failure.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { Source } from './source.ts'
import { checkedPath, foldersOf, newPartName, partPrefix } from './storage-path.ts'
import { existsAlready, overtaken } from './taken.ts'
import { writeAndRemove } from './write-and-remove.ts'

const blockBytes = 1024 * 1024
/** A folder that another put has just emptied and removed is made again this often. */
const folderAttempts = 50

/** A folder of this node. Only what is below it is ever made: a root that is gone may be a disk that is not there. */
export class FolderDriver implements BackupStorageDriver {
  readonly #root: string
  readonly #storage: string
  readonly #data: string

  /** `storage` is what messages call it; `data` is the data folder, whose disk it may be on. */
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
    let isPlaced = false
    await this.#refuseWithoutRoot()
    if (await isThere(target)) throw existsAlready(path, this.#storage)
    try {
      await this.#write(source, part, path)
      await this.#place(part, target, path)
      isPlaced = true
      await rm(part, { force: true })
      await syncFolder(dirname(target))
    } catch (error) {
      for (const left of isPlaced ? [part, target] : [part]) await rm(left, { force: true }).catch(() => {})
      await this.#removeEmptyFolders(path)
      throw error
    }
  }

  /** Unlike a rename, a link never replaces. */
  async #place(part: string, target: string, path: string): Promise<void> {
    requireOwned()
    try {
      await link(part, target)
    } catch (error) {
      if (await isThere(target)) throw existsAlready(path, this.#storage)
      if (isMissing(error)) throw overtaken(path, this.#storage)
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
        // it too fails when the folder goes while it looks
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
      // before it is opened: a FIFO might never let go of us
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
    return this.#doing(`look for ${path}`, signal, async () => {
      await this.#refuseWithoutRoot()
      return isThere(join(this.#root, checkedPath(path)))
    })
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    await this.#doing(`remove ${path}`, signal, async () => {
      const checked = checkedPath(path)
      await this.#refuseWithoutRoot()
      // first what could still be given the name of the file
      await this.#removeParts(checked).catch(ignoreMissing)
      requireOwned()
      await unlink(join(this.#root, checked)).catch(ignoreMissing)
      await this.#removeEmptyFolders(checked)
    })
  }

  async usage({ signal }: StorageOptions): Promise<Capacity> {
    return this.#doing('tell its size', signal, async () => {
      await this.#refuseWithoutRoot()
      const { blocks, bavail, bsize } = await statfs(this.#root)
      return { totalCapacity: blocks * bsize, availableCapacity: bavail * bsize }
    })
  }

  check(options: StorageOptions): Promise<void> {
    return writeAndRemove(this, options)
  }

  async close(): Promise<void> {}

  async #doing<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      throw folderFailure(error, this.#storage, what)
    }
  }

  async #refuseWithoutRoot(): Promise<void> {
    const root = await stat(this.#root).catch(ignoreMissing)
    if (root?.isDirectory()) return
    throw new ApiError('BS.1003', `the folder ${this.#root} of ${this.#storage} is not there`)
  }

  /** What a put of this file has left that was killed. */
  async #removeParts(path: string): Promise<void> {
    const target = join(this.#root, path)
    const prefix = partPrefix(basename(target))
    for (const name of (await readdir(dirname(target))).filter((found) => found.startsWith(prefix))) {
      // of a job that has another owner now it may be the new one's
      requireOwned()
      await rm(join(dirname(target), name), { force: true })
    }
  }

  async #removeEmptyFolders(path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const isGone = await rmdir(join(this.#root, folder)).then(
        () => true,
        (error: unknown) => isMissing(error),
      )
      if (!isGone) return
    }
  }
}

const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(ignoreMissing)) !== undefined

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** So that the name survives a power failure as the bytes do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
