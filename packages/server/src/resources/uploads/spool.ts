import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskSpace, freeBytesOf, spaceIn } from '@wharf/platform/data-disk.ts'
import { OperatorError, reasonOf } from '@wharf/platform/operator-error.ts'
import { FileSyncs } from './file-syncs.ts'

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants

/** The bytes of uploads, one file each. A file is written from front to back only, so its size tells what arrived. */
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

  /** 0 when nothing has arrived yet. */
  async sizeOf(id: string): Promise<number> {
    try {
      return (await stat(this.pathOf(id))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }

  /** Cut to `offset`: what lies beyond never counted. */
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

  /** It has come so far and more will come. */
  syncSoon(id: string, size: number): void {
    this.#syncs.soon(this.pathOf(id), size)
  }

  /** On the disk, with its name. */
  async sync(id: string): Promise<void> {
    // of an empty upload nothing was ever written
    await (await open(this.pathOf(id), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)).close()
    await this.#syncs.now(this.pathOf(id), this.folder)
  }

  /** One that is not there is fine. */
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

  /** Throws when the file system has no space for so many bytes more. */
  async requireSpace(bytes: number): Promise<void> {
    await (await this.#onDisk())?.require(bytes)
  }

  /** The same for bytes that are about to be written: others write at the same time. */
  async claimSpace(bytes: number): Promise<void> {
    await (await this.#onDisk())?.claim(bytes)
  }

  #onDisk(): Promise<DiskSpace | undefined> {
    this.#space ??= spaceIn(this.folder, this.folder)
    return this.#space
  }
}
