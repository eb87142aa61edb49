import {
  type Attributes,
  noAttributes,
  openFlag,
  packetType,
  permissions,
  statusCode,
  string,
  uint32,
  uint64,
} from './sftp-packets.ts'
import { type SftpSession, SftpStatus } from './sftp-session.ts'
import { Window } from './window.ts'

/** Every server takes and gives this much in one packet; more is not promised anywhere. */
export const blockBytes = 32 * 1024
/** 2 MiB on the way keep a line busy that takes 10 ms at 200 MB/s. */
const blocksOnTheWay = 64

/** An open file or folder, as the server calls it. */
type Handle = Buffer

/** The file system at the other end of a session. */
export class SftpFiles {
  readonly #session: SftpSession

  constructor(session: SftpSession) {
    this.#session = session
  }

  /** Of the name itself, not of what a link leads to. Undefined when there is nothing. */
  lstat(path: string): Promise<Attributes | undefined> {
    return this.#attributes(packetType.lstat, path)
  }

  stat(path: string): Promise<Attributes | undefined> {
    return this.#attributes(packetType.stat, path)
  }

  /** False when it was not there. */
  remove(path: string): Promise<boolean> {
    return this.#unlessMissing(this.#session.request(packetType.remove, string(path)))
  }

  async makeFolder(path: string): Promise<void> {
    await this.#session.request(packetType.mkdir, string(path), permissions(0o700))
  }

  async removeFolder(path: string): Promise<void> {
    await this.#session.request(packetType.rmdir, string(path))
  }

  async list(folder: string): Promise<string[]> {
    const handle = await this.#open(this.#session.request(packetType.opendir, string(folder)))
    const names: string[] = []
    try {
      for (;;) {
        const { values } = await this.#session.request(packetType.readdir, handle)
        for (let count = values.uint32(); count > 0; count--) {
          names.push(String(values.string()))
          values.string()
          values.attributes()
        }
      }
    } catch (error) {
      if (isStatus(error, statusCode.endOfFile)) return names
      throw error
    } finally {
      await this.#close(handle)
    }
  }

  /** A new file with these bytes, on the disk when this returns as far as the server knows how. */
  async write(path: string, blocks: AsyncIterable<Buffer>): Promise<void> {
    const { create, exclusive, write } = openFlag
    const flags = uint32(create | exclusive | write)
    const handle = await this.#open(this.#session.request(packetType.open, string(path), flags, permissions(0o600)))
    try {
      const window = new Window(blocksOnTheWay)
      let offset = 0
      for await (const block of blocks) {
        const place = uint64(offset)
        await window.begin(() => this.#session.request(packetType.write, handle, place, uint32(block.length), block))
        offset += block.length
      }
      await window.drain()
      if (this.#session.offers('fsync@openssh.com')) await this.#session.extended('fsync@openssh.com', handle)
    } finally {
      await this.#close(handle)
    }
  }

  /** Gives a file another name, unless something has it. */
  async place(from: string, to: string): Promise<void> {
    if (this.#session.offers('hardlink@openssh.com')) {
      await this.#session.extended('hardlink@openssh.com', string(from), string(to))
      // the file is where it belongs; its other name goes with the file at the latest
      await this.remove(from).catch(() => false)
    } else {
      // version 3: an error when there is a file of the new name
      await this.#session.request(packetType.rename, string(from), string(to))
    }
  }

  /** From `start` up to, but not including, `end`. */
  async *read(path: string, start: number, end: number): AsyncGenerator<Buffer> {
    const request = this.#session.request(packetType.open, string(path), uint32(openFlag.read), noAttributes)
    const handle = await this.#open(request)
    const coming: Promise<Buffer>[] = []
    let asked = start
    try {
      for (;;) {
        for (; asked < end && coming.length < blocksOnTheWay; asked += blockBytes) {
          const block = this.#readBlock(handle, asked, Math.min(blockBytes, end - asked))
          // it may fail while an earlier one is waited for
          block.catch(() => {})
          coming.push(block)
        }
        const next = coming.shift()
        if (next === undefined) return
        yield await next
      }
    } finally {
      await this.#close(handle)
    }
  }

  /** All of it: a server may give less than it was asked for. */
  async #readBlock(handle: Handle, offset: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for (let held = 0; held < length; ) {
      const values = [handle, uint64(offset + held), uint32(length - held)]
      const piece = (await this.#session.request(packetType.read, ...values)).values.string()
      if (piece.length === 0 || piece.length > length - held) throw new Error('it answered with another piece')
      pieces.push(piece)
      held += piece.length
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  }

  /** Zeroes when the server does not tell. */
  async capacity(path: string): Promise<{ totalCapacity: number; availableCapacity: number }> {
    if (!this.#session.offers('statvfs@openssh.com')) return { totalCapacity: 0, availableCapacity: 0 }
    const { values } = await this.#session.extended('statvfs@openssh.com', string(path))
    values.uint64()
    const [unit, total, , available] = [values.uint64(), values.uint64(), values.uint64(), values.uint64()]
    return { totalCapacity: total * unit, availableCapacity: available * unit }
  }

  async #attributes(type: number, path: string): Promise<Attributes | undefined> {
    try {
      return (await this.#session.request(type, string(path))).values.attributes()
    } catch (error) {
      if (isStatus(error, statusCode.noSuchFile)) return undefined
      throw error
    }
  }

  async #unlessMissing(request: Promise<unknown>): Promise<boolean> {
    try {
      await request
      return true
    } catch (error) {
      if (isStatus(error, statusCode.noSuchFile)) return false
      throw error
    }
  }

  async #open(request: ReturnType<SftpSession['request']>): Promise<Handle> {
    return string((await request).values.string())
  }

  /** Nothing depends on it: what matters about a file was settled before. */
  async #close(handle: Handle): Promise<void> {
    await this.#session.request(packetType.close, handle).catch(() => {})
  }
}

const isStatus = (error: unknown, code: number): boolean => error instanceof SftpStatus && error.code === code
