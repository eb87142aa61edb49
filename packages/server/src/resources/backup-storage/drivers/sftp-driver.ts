import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { SftpConnection, type SftpSettings } from '@wharf/sftp/connection.ts'
import { isFile, isFolder, statusCode } from '@wharf/sftp/packets.ts'
import { blockBytes, RemoteFiles } from '@wharf/sftp/remote-files.ts'
import { SftpStatus } from '@wharf/sftp/session.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import { retryInJob } from '../../../jobs/retry-in-job.ts'
import type { BackupStorageDriver, Capacity, StorageOptions } from '../driver.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { Source } from './source.ts'
import { checkedPath, foldersOf, newPartName, partPrefix } from './storage-path.ts'
import { existsAlready, overtaken } from './taken.ts'
import { writeAndRemove } from './write-and-remove.ts'

const { basename, dirname, join } = posix

/** A folder that another put has just emptied and removed is made again this often. */
const folderAttempts = 5
/** What is left of a put that failed is worth this much time. */
const cleanUpMs = 5000
/** A server does not say that it is full, only that writing failed: with less than this left, that was it. */
const fullBytes = 1024 * 1024

/** A folder on a host that offers SFTP. Nothing is connected before the first use. */
export class SftpDriver implements BackupStorageDriver {
  readonly #connection: SftpConnection
  readonly #root: string
  readonly #storage: string

  constructor({ root, ...settings }: SftpSettings & { root: string }) {
    this.#connection = new SftpConnection(settings, retryInJob)
    this.#root = root
    this.#storage = settings.storage
  }

  put(bytes: Readable, path: string, { signal }: StorageOptions): Promise<void> {
    const write = (source: Source): Promise<void> => this.#put(source, checkedPath(path), signal)
    return Source.consume(bytes, signal, write, (error) => this.#failure(error, `write ${path}`))
  }

  async #put(source: Source, path: string, signal: AbortSignal): Promise<void> {
    const target = join(this.#root, path)
    const part = join(dirname(target), newPartName(basename(target)))
    const files = await this.#files(signal)
    await untilAborted(signal, this.#refuseWithoutRoot(files))
    if (await untilAborted(signal, files.lstat(target))) throw existsAlready(path, this.#storage)
    try {
      await untilAborted(signal, this.#write(files, source, part, path))
      await this.#place(files, part, target, path)
    } catch (error) {
      const failure = await this.#tellIfFull(error, files, path).catch(() => error)
      await this.#cleanUp(part, path)
      throw failure
    }
  }

  async #write(files: RemoteFiles, source: Source, part: string, path: string): Promise<void> {
    await this.#makeFolders(files, path)
    await this.#removeParts(files, path)
    await files.write(
      part,
      source.blocks(() => blockBytes),
    )
  }

  /** Not to be aborted: whether it was done must be known. */
  async #place(files: RemoteFiles, part: string, target: string, path: string): Promise<void> {
    requireOwned()
    try {
      await files.rename(part, target)
    } catch (error) {
      if (error instanceof ApiError) throw error
      // all that the server says is that it failed
      if (await files.lstat(target)) throw existsAlready(path, this.#storage)
      if (!(await files.lstat(part))) throw overtaken(path, this.#storage)
      throw error
    }
  }

  /** By a new connection where the old one is lost. When that fails too, the next put or remove of the file does it. */
  async #cleanUp(part: string, path: string): Promise<void> {
    const signal = AbortSignal.timeout(cleanUpMs)
    try {
      const files = await this.#files(signal)
      await untilAborted(signal, files.remove(part))
      await untilAborted(signal, this.#removeEmptyFolders(files, path))
    } catch {
      // the failure of the put is the one to tell
    }
  }

  get(
    path: string,
    { signal, start = 0, end = Number.MAX_SAFE_INTEGER }: StorageOptions & { start?: number; end?: number },
  ): Readable {
    return lazyBytes(signal, (until) => this.#read(path, start, end, until))
  }

  async *#read(path: string, start: number, end: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    try {
      const target = join(this.#root, checkedPath(path))
      const files = await this.#files(signal)
      const attributes = await untilAborted(signal, files.stat(target))
      if (attributes === undefined) throw new Error('there is no such file')
      // before it is opened: a FIFO would hold up the server
      if (!isFile(attributes) || attributes.size === undefined) throw new Error('it is not a file')
      yield* files.read(target, start, Math.min(end + 1, attributes.size))
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, `read ${path}`)
    }
  }

  async exists(path: string, { signal }: StorageOptions): Promise<boolean> {
    const target = join(this.#root, checkedPath(path))
    return this.#doing(`look for ${path}`, signal, async (files) => {
      await this.#refuseWithoutRoot(files)
      return (await files.lstat(target)) !== undefined
    })
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    const checked = checkedPath(path)
    await this.#doing(`remove ${path}`, signal, async (files) => {
      await this.#refuseWithoutRoot(files)
      // first what could still be given the name of the file
      if (await files.stat(dirname(join(this.#root, checked)))) await this.#removeParts(files, checked)
      requireOwned()
      await files.remove(join(this.#root, checked))
      await this.#removeEmptyFolders(files, checked)
    })
  }

  async usage({ signal }: StorageOptions): Promise<Capacity> {
    return this.#doing('tell its size', signal, async (files) => {
      await this.#refuseWithoutRoot(files)
      return files.capacity(this.#root)
    })
  }

  check(options: StorageOptions): Promise<void> {
    return writeAndRemove(this, options)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #files(signal: AbortSignal): Promise<RemoteFiles> {
    return new RemoteFiles(await this.#connection.session(signal))
  }

  async #doing<T>(what: string, signal: AbortSignal, work: (files: RemoteFiles) => Promise<T>): Promise<T> {
    try {
      const files = await this.#files(signal)
      return await untilAborted(signal, work(files))
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, what)
    }
  }

  async #refuseWithoutRoot(files: RemoteFiles): Promise<void> {
    const root = await files.stat(this.#root)
    if (root && isFolder(root)) return
    throw new ApiError('BS.1003', `the folder ${this.#root} of ${this.#storage} is not there`)
  }

  /** The root is there already; it is never made. */
  async #makeFolders(files: RemoteFiles, path: string): Promise<void> {
    const [nearest] = foldersOf(path)
    if (nearest === undefined) return
    for (let attempt = 1; !(await files.stat(join(this.#root, nearest))); attempt++) {
      if (attempt > folderAttempts) throw new Error(`the folder ${nearest} cannot be made`)
      for (const folder of foldersOf(path).toReversed()) {
        const whole = join(this.#root, folder)
        if (await files.stat(whole)) continue
        await files.makeFolder(whole).catch(async (error: unknown) => {
          // another put may have made it meanwhile, or removed what it lies in
          if (attempt === folderAttempts && !(await files.stat(whole))) throw error
        })
      }
    }
  }

  /** What a put of this file has left that was killed. */
  async #removeParts(files: RemoteFiles, path: string): Promise<void> {
    const folder = dirname(join(this.#root, path))
    const prefix = partPrefix(basename(path))
    for (const name of (await files.list(folder)).filter((found) => found.startsWith(prefix))) {
      // of a job that has another owner now it may be the new one's
      requireOwned()
      await files.remove(join(folder, name))
    }
  }

  async #removeEmptyFolders(files: RemoteFiles, path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const whole = join(this.#root, folder)
      const isGone = await files.removeFolder(whole).then(
        () => true,
        async () => (await files.stat(whole)) === undefined,
      )
      if (!isGone) return
    }
  }

  /** Asked while what was written still takes up its room. */
  async #tellIfFull(error: unknown, files: RemoteFiles, path: string): Promise<unknown> {
    if (!(error instanceof SftpStatus) || error.code !== statusCode.failure) return error
    const { totalCapacity, availableCapacity } = await files.capacity(this.#root)
    if (totalCapacity === 0 || availableCapacity >= fullBytes) return error
    return new ApiError('SoftwarePackage.1121', `${this.#storage} has no space left for ${path}`)
  }

  #failure(error: unknown, doing: string): ApiError {
    if (error instanceof ApiError) return error
    return new ApiError('BS.1500', `${this.#storage} cannot ${doing}: ${(error as Error).message}`, { cause: error })
  }
}
