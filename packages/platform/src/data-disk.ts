import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ApiError } from './api-error.ts'

/** Below this a commit of the database may fail, although a small file can still be written. */
export const leastFreeBytes = 1024 * 1024

const MiB = 1024 * 1024

/** Left free by everything that writes files: the database on the same disk must be able to record that it is full. */
export const diskReserveBytes = 16 * MiB

/** How much all writers together may write between two measurements of the disk. */
const measureEveryBytes = 4 * MiB
/** Other programs write too. */
const measureEveryMs = 250

/** One file system, shared by all writers of this process. */
class SharedDisk {
  #freeBytes = 0
  #claimedBytes = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  async require(folder: string, bytes: number): Promise<void> {
    await this.#measure(folder)
    if (!this.#hasSpaceFor(bytes)) throw notEnoughSpace(this.#freeBytes, bytes)
  }

  async claim(folder: string, bytes: number): Promise<void> {
    const isOld = performance.now() - this.#measuredAt > measureEveryMs
    if (isOld || this.#claimedBytes + bytes > measureEveryBytes || !this.#hasSpaceFor(bytes))
      await this.require(folder, bytes)
    this.#claimedBytes += bytes
  }

  async #measure(folder: string): Promise<void> {
    this.#freeBytes = await freeBytesOf(folder)
    this.#claimedBytes = 0
    this.#measuredAt = performance.now()
  }

  #hasSpaceFor(bytes: number): boolean {
    return this.#freeBytes - this.#claimedBytes - bytes >= diskReserveBytes
  }
}

const disks = new Map<number, SharedDisk>()

/** The disk that a writer claims space on before it writes. */
export interface DiskSpace {
  /** Throws when so many bytes would not fit. */
  require(bytes: number): Promise<void>
  /** Before each piece. Throws when it would use the reserve. */
  claim(bytes: number): Promise<void>
}

/** Undefined on another disk: the reserve is kept on that of the data folder, and on those mounted below it. */
export async function spaceIn(path: string, data: string): Promise<DiskSpace | undefined> {
  const { folder, dev } = await nearestFolder(path)
  const isInside = path === data || path.startsWith(`${data}/`)
  // with PostgreSQL a backup is also written where no data folder exists
  if (!isInside && dev !== (await stat(data).catch(() => undefined))?.dev) return undefined
  const disk = disks.get(dev) ?? new SharedDisk()
  disks.set(dev, disk)
  return { require: (bytes) => disk.require(folder, bytes), claim: (bytes) => disk.claim(folder, bytes) }
}

/** The path, or its first ancestor that can be examined: below a file, for example, nothing can. */
async function nearestFolder(path: string): Promise<{ folder: string; dev: number }> {
  try {
    return { folder: path, dev: (await stat(path)).dev }
  } catch (error) {
    if (path === dirname(path)) throw error
    return nearestFolder(dirname(path))
  }
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A stream that fails when the disk has no space for its next piece. */
export async function* claiming(space: DiskSpace | undefined, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    await space?.claim(piece.length)
    yield piece
  }
}

const inMiB = (bytes: number): string => `${Math.max(Math.floor(bytes / MiB), 0)} MiB`

const notEnoughSpace = (free: number, bytes: number): ApiError =>
  new ApiError(
    'SoftwarePackage.1121',
    `the data disk of this management node has ${inMiB(free)} free, too little for ${bytes} bytes more and the ${inMiB(diskReserveBytes)} that are reserved for the database; nothing of it was kept: free space there, then try again`,
  )
