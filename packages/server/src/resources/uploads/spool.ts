import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskSpace, freeBytesOf, spaceIn } from '@wharf/platform/data-disk.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import { FileSyncs } from './file-syncs.ts'

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants

/** The bytes of uploads, one file each. A file is written sequentially, so its size is the offset of the upload. */
export class Spool {
  readonly folder: string
  readonly #syncs = new FileSyncs()
  #space: Promise<DiskSpace | undefined> | undefined

  constructor(data: string) {
    this.folder = join(data, 'uploads')
  }

  pathOf(id: string): string {
    return join(this.folder, id)
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new OperatorError(`the folder ${this.folder} cannot be created: ${reasonOf(cause)}`, { cause })
    })
  }

  /** 0 when no byte has arrived yet. */
  async sizeOf(id: string): Promise<number> {
    try {
      return (await stat(this.pathOf(id))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }

  /** Truncates the file to `offset`: later bytes were never accepted. */
  async openAt(id: string, offset: number): Promise<FileHandle> {
    const file = await open(this.pathOf(id), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    try {
      if ((await file.stat()).size > offset) await file.truncate(offset)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** For an upload that is not complete. */
  syncSoon(id: string, size: number): void {
    this.#syncs.soon(this.pathOf(id), size)
  }

  /** Syncs the file and its directory entry. */
  async sync(id: string): Promise<void> {
    // an empty upload has no file yet
    await (await open(this.pathOf(id), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)).close()
    await this.#syncs.now(this.pathOf(id), this.folder)
  }

  /** Succeeds when the file does not exist. */
  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true })
    this.#syncs.forget(this.pathOf(id))
  }

  async list(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => /^[0-9a-f]{32}$/.test(name))
  }

  freeBytes(): Promise<number> {
    return freeBytesOf(this.folder)
  }

  /** Throws when the file system has less free space. */
  async requireSpace(bytes: number): Promise<void> {
    await (await this.#diskSpace())?.require(bytes)
  }

  /** Also reserves the space, because other uploads write at the same time. */
  async claimSpace(bytes: number): Promise<void> {
    await (await this.#diskSpace())?.claim(bytes)
  }

  #diskSpace(): Promise<DiskSpace | undefined> {
    this.#space ??= spaceIn(this.folder, this.folder)
    return this.#space
  }
}
