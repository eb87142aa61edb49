import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { claiming, spaceIn } from '@wharf/platform/data-disk.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { streamSha256 } from '@wharf/platform/stream-digest.ts'

interface ReleaseCacheDeps {
  readonly settings: { readonly data: string; readonly releaseCacheBytes: number }
  readonly log: Log
}

interface Entry {
  size: number
  /** By `Date.now()`; also the access time of the file, for the next process. */
  usedAt: number
  /** Readers that must find the file. */
  users: number
  /** Of the file when its digest was verified; undefined until then. */
  verified: { readonly mtimeMs: number; readonly ino: number } | undefined
  /** The verification that is running. */
  verification?: Promise<boolean> | undefined
}

/** The bytes of a release, verified, on the disk of this node, until it is released. */
export interface CachedFile extends AsyncDisposable {
  readonly file: string
}

const digestName = /^[0-9a-f]{64}$/
const readBytes = 1024 * 1024

/**
 * The bytes of releases on the disk of this node by digest: they are read from backup storage once, however many hosts
 * receive them. The least recently used are removed.
 */
export class ReleaseCache {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #log: Log
  readonly #entries = new Map<string, Entry>()
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #closed = new AbortController()

  constructor({ settings, log }: ReleaseCacheDeps) {
    this.#folder = join(settings.data, 'release-cache')
    this.#maxBytes = settings.releaseCacheBytes
    this.#log = log
  }

  /** Adopts the files of an earlier process; each is verified before its first use. */
  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (!digestName.test(name)) {
        await rm(path, { recursive: true, force: true })
        continue
      }
      const { size, atimeMs } = await stat(path)
      this.#entries.set(name, { size, usedAt: atimeMs, users: 0, verified: undefined })
    }
    await this.#evict(0)
  }

  close(): void {
    this.#closed.abort(new ApiError('SYS.1010', 'the server is shutting down'))
  }

  /** False for a release that is larger than the whole cache: its bytes are read from backup storage for each host. */
  accepts(size: number): boolean {
    return size <= this.#maxBytes
  }

  /** `fetch` reads the bytes from backup storage, unless they are here; calls for the same digest share one read. */
  async use(
    { sha256, size }: { readonly sha256: string; readonly size: number },
    fetch: (signal: AbortSignal) => Promise<Readable>,
    signal: AbortSignal,
  ): Promise<CachedFile> {
    for (;;) {
      signal.throwIfAborted()
      const entry = this.#entries.get(sha256)
      if (entry) {
        entry.users++
        if (await this.#isIntact(sha256, entry)) return this.#opened(sha256, entry)
        entry.users--
        await this.#discard(sha256, entry)
        continue
      }
      const fetching = this.#fetching.get(sha256) ?? this.#startFetch({ sha256, size }, fetch)
      await untilAborted(signal, fetching)
    }
  }

  async #opened(sha256: string, entry: Entry): Promise<CachedFile> {
    const file = join(this.#folder, sha256)
    entry.usedAt = Date.now()
    if (entry.verified) await utimes(file, entry.usedAt / 1000, entry.verified.mtimeMs / 1000).catch(() => {})
    return {
      file,
      [Symbol.asyncDispose]: async () => {
        entry.users--
      },
    }
  }

  /** The digest of a file is computed at its first use in this process, and when the file was changed since. */
  #isIntact(sha256: string, entry: Entry): Promise<boolean> {
    entry.verification ??= this.#verify(sha256, entry).finally(() => {
      entry.verification = undefined
    })
    return entry.verification
  }

  async #verify(sha256: string, entry: Entry): Promise<boolean> {
    const file = join(this.#folder, sha256)
    const found = await stat(file).catch(() => undefined)
    if (found === undefined || found.size !== entry.size) return false
    // utimes stores whole milliseconds
    const isSame = (mtimeMs: number): boolean => Math.abs(mtimeMs - found.mtimeMs) < 1
    if (entry.verified && entry.verified.ino === found.ino && isSame(entry.verified.mtimeMs)) return true
    if ((await digestOf(file, entry.size)) !== sha256) return false
    entry.verified = { mtimeMs: found.mtimeMs, ino: found.ino }
    return true
  }

  async #discard(sha256: string, entry: Entry): Promise<void> {
    if (this.#entries.get(sha256) !== entry) return
    this.#entries.delete(sha256)
    this.#log.warn({ sha256 }, 'a release in the cache of this node was damaged; it is read from backup storage again')
    await rm(join(this.#folder, sha256), { force: true })
  }

  #startFetch(
    wanted: { sha256: string; size: number },
    fetch: (signal: AbortSignal) => Promise<Readable>,
  ): Promise<void> {
    const fetching = this.#fetch(wanted, () => fetch(this.#closed.signal)).finally(() =>
      this.#fetching.delete(wanted.sha256),
    )
    this.#fetching.set(wanted.sha256, fetching)
    // every caller may have been aborted
    fetching.catch(() => {})
    return fetching
  }

  async #fetch({ sha256, size }: { sha256: string; size: number }, fetch: () => Promise<Readable>): Promise<void> {
    const part = join(this.#folder, `${newUuid()}.part`)
    let bytes: Readable | undefined
    try {
      await this.#evict(size)
      const space = await spaceIn(this.#folder, this.#folder)
      await space?.require(size)
      bytes = await fetch()
      const write = async (hashed: AsyncIterable<Buffer>): Promise<void> =>
        pipeline(hashed, (source) => claiming(space, source), createWriteStream(part, { mode: 0o600 }))
      const found = await hash(bytes, size, write)
      if (found !== sha256)
        throw new ApiError(
          'SYS.1016',
          `backup storage returned bytes with the SHA-256 ${found} for the release with ${sha256}; check the storage, or publish the package under another version`,
        )
      const handle = await open(part, 'r')
      await handle.sync().finally(() => handle.close())
      const { mtimeMs, ino } = await stat(part)
      await rename(part, join(this.#folder, sha256))
      this.#entries.set(sha256, { size, usedAt: Date.now(), users: 0, verified: { mtimeMs, ino } })
    } catch (error) {
      bytes?.destroy()
      await rm(part, { force: true })
      throw error
    }
  }

  /** Makes space for so many bytes; files in use stay. */
  async #evict(bytes: number): Promise<void> {
    const idle = [...this.#entries].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    let total = [...this.#entries.values()].reduce((sum, { size }) => sum + size, bytes)
    for (const [sha256, { size }] of idle) {
      if (total <= this.#maxBytes) return
      this.#entries.delete(sha256)
      await rm(join(this.#folder, sha256), { force: true })
      total -= size
    }
  }
}

/** The digest of the bytes, which are passed on to `consume`. */
async function hash(
  bytes: Readable,
  size: number,
  consume: (hashed: AsyncIterable<Buffer>) => Promise<void>,
): Promise<string> {
  const digest = streamSha256(size)
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      await digest.update(chunk)
      yield chunk
    }
  }
  try {
    await consume(hashed())
    return await digest.digest()
  } finally {
    digest.close()
  }
}

const digestOf = (file: string, size: number): Promise<string> =>
  hash(createReadStream(file, { highWaterMark: readBytes }), size, async (hashed) => {
    for await (const _ of hashed);
  })
