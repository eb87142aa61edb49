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
import { checkWritable } from './check-writable.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { alreadyExists, supersededUpload } from './path-conflicts.ts'
import { Source } from './source.ts'
import { checkedPath, foldersOf, newPartName, partPrefix } from './storage-path.ts'

const { basename, dirname, join } = posix

/** A concurrent put may remove the folder when it is empty; it is created again this often. */
const folderAttempts = 5
/** The time limit for removing the parts of a failed put. */
const cleanUpMs = 5000
/** A server only reports that writing failed; with less free space than this, the disk is full. */
const fullBytes = 1024 * 1024

/** A folder on an SFTP server. It connects at its first use. */
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
    await untilAborted(signal, this.#requireRoot(files))
    if (await untilAborted(signal, files.lstat(target))) throw alreadyExists(path, this.#storage)
    try {
      await untilAborted(signal, this.#write(files, source, part, path))
      await this.#place(files, part, target, path)
    } catch (error) {
      const failure = await this.#checkFull(error, files, path).catch(() => error)
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

  /** Cannot be aborted: its result must be known. */
  async #place(files: RemoteFiles, part: string, target: string, path: string): Promise<void> {
    requireOwned()
    try {
      await files.rename(part, target)
    } catch (error) {
      if (error instanceof ApiError) throw error
      // the server reports no reason
      if (await files.lstat(target)) throw alreadyExists(path, this.#storage)
      if (!(await files.lstat(part))) throw supersededUpload(path, this.#storage)
      throw error
    }
  }

  /** On a new connection if the old one is lost. If it fails, the next put or remove of the file removes the parts. */
  async #cleanUp(part: string, path: string): Promise<void> {
    const signal = AbortSignal.timeout(cleanUpMs)
    try {
      const files = await this.#files(signal)
      await untilAborted(signal, files.remove(part))
      await untilAborted(signal, this.#removeEmptyFolders(files, path))
    } catch {
      // the failure of the put is reported instead
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
      if (attributes === undefined) throw new Error('the file does not exist')
      // checked first, because opening a FIFO would block the server
      if (!isFile(attributes) || attributes.size === undefined) throw new Error('it is not a file')
      yield* files.read(target, start, Math.min(end + 1, attributes.size))
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, `read ${path}`)
    }
  }

  async exists(path: string, { signal }: StorageOptions): Promise<boolean> {
    const target = join(this.#root, checkedPath(path))
    return this.#attempt(`check for ${path}`, signal, async (files) => {
      await this.#requireRoot(files)
      return (await files.lstat(target)) !== undefined
    })
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    const checked = checkedPath(path)
    await this.#attempt(`remove ${path}`, signal, async (files) => {
      await this.#requireRoot(files)
      // parts first: one of them could still be renamed to the file
      if (await files.stat(dirname(join(this.#root, checked)))) await this.#removeParts(files, checked)
      requireOwned()
      await files.remove(join(this.#root, checked))
      await this.#removeEmptyFolders(files, checked)
    })
  }

  async usage({ signal }: StorageOptions): Promise<Capacity> {
    return this.#attempt('report its capacity', signal, async (files) => {
      await this.#requireRoot(files)
      return files.capacity(this.#root)
    })
  }

  check(options: StorageOptions): Promise<void> {
    return checkWritable(this, options)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #files(signal: AbortSignal): Promise<RemoteFiles> {
    return new RemoteFiles(await this.#connection.session(signal))
  }

  async #attempt<T>(action: string, signal: AbortSignal, work: (files: RemoteFiles) => Promise<T>): Promise<T> {
    try {
      const files = await this.#files(signal)
      return await untilAborted(signal, work(files))
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, action)
    }
  }

  async #requireRoot(files: RemoteFiles): Promise<void> {
    const root = await files.stat(this.#root)
    if (root && isFolder(root)) return
    throw new ApiError('BS.1003', `the folder ${this.#root} of ${this.#storage} does not exist`)
  }

  /** Never creates the root. */
  async #makeFolders(files: RemoteFiles, path: string): Promise<void> {
    const [nearest] = foldersOf(path)
    if (nearest === undefined) return
    for (let attempt = 1; !(await files.stat(join(this.#root, nearest))); attempt++) {
      if (attempt > folderAttempts) throw new Error(`the folder ${nearest} cannot be created`)
      for (const folder of foldersOf(path).toReversed()) {
        const whole = join(this.#root, folder)
        if (await files.stat(whole)) continue
        await files.makeFolder(whole).catch(async (error: unknown) => {
          // a concurrent put may have created it, or removed its parent
          if (attempt === folderAttempts && !(await files.stat(whole))) throw error
        })
      }
    }
  }

  /** Left by a killed put of this file. */
  async #removeParts(files: RemoteFiles, path: string): Promise<void> {
    const folder = dirname(join(this.#root, path))
    const prefix = partPrefix(basename(path))
    for (const name of (await files.list(folder)).filter((found) => found.startsWith(prefix))) {
      // when the job has another owner, the part may be that owner's
      requireOwned()
      await files.remove(join(folder, name))
    }
  }

  async #removeEmptyFolders(files: RemoteFiles, path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const whole = join(this.#root, folder)
      const isRemoved = await files.removeFolder(whole).then(
        () => true,
        async () => (await files.stat(whole)) === undefined,
      )
      if (!isRemoved) return
    }
  }

  /** Checked before the written part is removed. */
  async #checkFull(error: unknown, files: RemoteFiles, path: string): Promise<unknown> {
    if (!(error instanceof SftpStatus) || error.code !== statusCode.failure) return error
    const { totalCapacity, availableCapacity } = await files.capacity(this.#root)
    if (totalCapacity === 0 || availableCapacity >= fullBytes) return error
    return new ApiError('SoftwarePackage.1121', `${this.#storage} has no space left for ${path}; free some there`)
  }

  #failure(error: unknown, action: string): ApiError {
    if (error instanceof ApiError) return error
    return new ApiError('BS.1500', `${this.#storage} cannot ${action}: ${(error as Error).message}`, { cause: error })
  }
}
