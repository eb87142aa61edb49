import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  type BackupEnd,
  type BackupHeader,
  BackupRefused,
  formatName,
  formatVersion,
  maxEndBytes,
  readEnd,
} from './backup-format.ts'

/** A backup whose every byte has been checked. */
export interface BackupFile {
  header: BackupHeader
  end: BackupEnd
  /** Tables and rows, from the first again at every call. */
  lines(): AsyncIterable<string>
}

export async function readBackup<T>(file: string, work: (backup: BackupFile) => Promise<T>): Promise<T> {
  const handle = await openFile(file)
  try {
    const { end, contentBytes } = await verify(handle, file)
    const header = await readHeader(handle, contentBytes, file)
    return await work({ header, end, lines: () => contentOf(handle, contentBytes) })
  } finally {
    await handle.close()
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    if (!(await stat(file)).isFile()) throw new BackupRefused(`cannot read ${file}: it is not a file`)
    return await open(file, 'r')
  } catch (cause) {
    if (cause instanceof BackupRefused) throw cause
    throw new BackupRefused(`cannot read ${file}: ${(cause as NodeJS.ErrnoException).code}`, { cause })
  }
}

async function verify(handle: FileHandle, file: string): Promise<{ end: BackupEnd; contentBytes: number }> {
  const { size } = await handle.stat()
  const tail = Buffer.alloc(Math.min(size, maxEndBytes))
  await handle.read(tail, 0, tail.length, size - tail.length)
  const found = readEnd(tail)
  const contentBytes = size - (found?.bytes ?? 0)
  const checksum = createHash('sha256')
  if (found && contentBytes > 0) for await (const chunk of bytesOf(handle, contentBytes)) checksum.update(chunk)
  if (found === undefined || checksum.digest('hex') !== found.end.sha256)
    throw new BackupRefused(`${file} is not a whole Wharf backup: it is damaged, cut short or something else`)
  return { end: found.end, contentBytes }
}

const pieceBytes = 256 * 1024

/** Not the handle's own stream, which closes the handle when the reader stops early. */
async function* bytesOf(handle: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(pieceBytes, bytes - at)
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Not node:readline, which also ends a line at U+2028, which JSON may contain. */
async function* linesOf(handle: FileHandle, bytes: number): AsyncGenerator<string> {
  const packed = Readable.from(bytesOf(handle, bytes))
  const unpacked = createGunzip().setEncoding('utf8')
  packed.on('error', (error) => unpacked.destroy(error))
  try {
    let rest = ''
    for await (const piece of packed.pipe(unpacked)) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    packed.destroy()
  }
}

async function readHeader(handle: FileHandle, bytes: number, file: string): Promise<BackupHeader> {
  for await (const line of linesOf(handle, bytes)) {
    const header = JSON.parse(line) as BackupHeader
    if (header.format !== formatName) break
    if (header.formatVersion > formatVersion)
      throw new BackupRefused(
        `${file} has format ${header.formatVersion}; this version of Wharf reads up to ${formatVersion}`,
      )
    return header
  }
  throw new BackupRefused(`${file} is not a Wharf backup`)
}

async function* contentOf(handle: FileHandle, bytes: number): AsyncGenerator<string> {
  let isHeader = true
  for await (const line of linesOf(handle, bytes)) {
    if (!isHeader) yield line
    isHeader = false
  }
}
