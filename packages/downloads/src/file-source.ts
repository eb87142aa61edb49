import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import type { Source } from './download.ts'
import { ReceivedBytes, standardIdleTimeoutMs } from './received-bytes.ts'
import { tooLarge } from './too-large.ts'

export interface FileSourceOptions {
  readonly signal: AbortSignal
  /** Folders whose files may be read: WHARF_FILE_ROOTS. */
  readonly roots: readonly string[]
  readonly maxBytes: number
}

/** A link that replaced the file after the path was checked is not followed, and a FIFO does not block. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const readBytes = 256 * 1024

/** A file of this server below one of the roots, also after links are resolved; `path` is absolute and without dot segments. */
export async function openFileSource(path: string, options: FileSourceOptions): Promise<Source> {
  const { signal, roots, maxBytes } = options
  if (roots.length === 0) throw invalid('url may not be a file of the server: WHARF_FILE_ROOTS names no folder')
  signal.throwIfAborted()
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)))
  // before the disk is accessed, so that a caller cannot learn which files exist elsewhere
  refuseOutside(path, [...roots, ...realRoots])
  const handle = await openRegularFile(path, realRoots)
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw tooLarge(`${path} has ${size} bytes`, maxBytes)
    signal.throwIfAborted()
    const file = handle.createReadStream({ end: Math.max(size - 1, 0), highWaterMark: readBytes })
    const broken = (why: { cause?: unknown; receivedBytes: number }): ApiError =>
      failed(path, `it ended after ${why.receivedBytes} of ${size} bytes`, why.cause)
    const stream = new ReceivedBytes(file, { signal, maxBytes, size, idleTimeoutMs: standardIdleTimeoutMs, broken })
    return { stream, size, fileName: basename(path) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openRegularFile(path: string, realRoots: readonly string[]): Promise<FileHandle> {
  const real = await orFailed(path, realpath(path))
  refuseOutside(real, realRoots)
  // opening a device may do something
  if (!(await orFailed(path, lstat(real))).isFile()) throw notRegular(path)
  const handle = await orFailed(path, open(real, openFlags))
  try {
    if (!(await handle.stat()).isFile()) throw notRegular(path)
    // the folders above may have been replaced meanwhile: the path of the open file counts
    refuseOutside(await orFailed(path, readlink(`/proc/self/fd/${handle.fd}`)), realRoots)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Strictly below the folder; both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path)
  return inner !== '' && inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner)
}

function refuseOutside(path: string, roots: readonly string[]): void {
  if (!roots.some((root) => isInside(root, path)))
    throw invalid(
      'url must be a file below one of the folders in WHARF_FILE_ROOTS, and so must be the target of a link',
    )
}

const notRegular = (path: string): ApiError => invalid(`url leads to ${path}, which is not a regular file`)

const failed = (path: string, why: string, cause: unknown): ApiError =>
  new ApiError('SYS.1016', `cannot read ${path}: ${why}`, { cause })

const orFailed = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => Promise.reject(failed(path, reasonOf(cause), cause)))
