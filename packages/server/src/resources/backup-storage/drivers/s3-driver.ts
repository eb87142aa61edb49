import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { guardedAgents } from '@wharf/downloads/guarded-agents.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Secret } from '@wharf/platform/secret.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import type { BackupStorageDriver, Capacity, StorageOptions } from '../driver.ts'
import type { S3Location } from '../locations.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { isOvertaken, s3Failure, statusOf } from './s3-failure.ts'
import { isThere, ObjectExists, type S3Library, type S3Target, upload } from './s3-upload.ts'
import { Source } from './source.ts'
import { checkedPath } from './storage-path.ts'
import { existsAlready, overtaken } from './taken.ts'
import { writeAndRemove } from './write-and-remove.ts'

const connectMs = 10_000
/** Nothing at all for so long: a service that puts a large object together takes its time before it answers. */
const idleMs = 60_000

export interface S3Settings extends S3Location {
  /** What messages call the storage. */
  readonly storage: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** Networks that may be reached although they are refused otherwise. */
  readonly allow: readonly Cidr[]
  /** Roots to trust beside the usual ones. */
  readonly caFile?: string | undefined
}

/** A bucket, or what begins alike in one. The client library is large, so it is loaded when it is needed. */
export class S3Driver implements BackupStorageDriver {
  readonly #settings: S3Settings
  #opened: Promise<{ library: S3Library; client: S3Client }> | undefined

  constructor(settings: S3Settings) {
    this.#settings = settings
  }

  put(bytes: Readable, path: string, { signal }: StorageOptions): Promise<void> {
    const write = async (source: Source): Promise<void> => {
      const target = await this.#target(path)
      // without reading anything when it is there already; the upload itself looks again at the end
      if (await isThere(target, signal).catch(() => false)) throw new ObjectExists()
      await this.#removeParts(target, signal)
      await upload(target, source, signal)
    }
    return Source.consume(bytes, signal, write, (error) => this.#writeFailure(error, path))
  }

  #writeFailure(error: unknown, path: string): ApiError {
    const { storage } = this.#settings
    if (error instanceof ObjectExists) return existsAlready(path, storage)
    if (isOvertaken(error)) return overtaken(path, storage)
    return this.#failure(error, `write ${path}`)
  }

  get(path: string, { signal, start = 0, end }: StorageOptions & { start?: number; end?: number }): Readable {
    return lazyBytes(signal, (until) => this.#read(path, start, end, until))
  }

  async *#read(path: string, start: number, end: number | undefined, signal: AbortSignal) {
    let hasBegun = false
    try {
      const { library, client, object } = await this.#target(path)
      if (end !== undefined && end < start) return
      const range = start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ?? ''}` }
      const { Body } = await client.send(new library.GetObjectCommand({ ...object, ...range }), { abortSignal: signal })
      hasBegun = true
      yield* Body as Readable
    } catch (error) {
      signal.throwIfAborted()
      // the piece lies behind the end
      if (statusOf(error) === 416) return
      if (hasBegun) throw new ApiError('BS.1500', `${this.#settings.storage} broke off in ${path}`)
      throw this.#failure(error, `read ${path}`)
    }
  }

  exists(path: string, { signal }: StorageOptions): Promise<boolean> {
    return this.#doing(`look for ${path}`, signal, async () => isThere(await this.#target(path), signal))
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    await this.#doing(`remove ${path}`, signal, async () => {
      const target = await this.#target(path)
      const { library, client, object } = target
      // first what could still become the object
      await this.#removeParts(target, signal)
      requireOwned()
      await client.send(new library.DeleteObjectCommand(object), { abortSignal: signal })
    })
  }

  /** A bucket has no size; this only shows that it is there. */
  async usage({ signal }: StorageOptions): Promise<Capacity> {
    await this.#doing('be looked at', signal, async () => {
      const { library, client } = await this.#open()
      const command = new library.HeadBucketCommand({ Bucket: this.#settings.bucket })
      await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
        // an access key may write objects and still not look at the bucket
        if (statusOf(error) !== 403) throw error
      })
    })
    return { totalCapacity: 0, availableCapacity: 0 }
  }

  check(options: StorageOptions): Promise<void> {
    return writeAndRemove(this, options)
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    opened?.client.destroy()
    this.#opened = undefined
  }

  async #doing<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, what)
    }
  }

  #failure(error: unknown, doing: string): ApiError {
    return s3Failure(error, this.#settings.storage, doing)
  }

  /** What an upload of this object has left that was killed. An access key that may not see it leaves it to the bucket's rules. */
  async #removeParts({ library, client, object }: S3Target, signal: AbortSignal): Promise<void> {
    const { Bucket, Key } = object
    const options = { abortSignal: signal }
    try {
      const command = new library.ListMultipartUploadsCommand({ Bucket, Prefix: Key })
      const { Uploads = [] } = await client.send(command, options)
      for (const { UploadId } of Uploads.filter((begun) => begun.Key === Key)) {
        // of a job that has another owner now it may be the new one's
        requireOwned()
        await client.send(new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options)
      }
    } catch {
      signal.throwIfAborted()
      requireOwned()
    }
  }

  async #target(path: string): Promise<S3Target> {
    const { bucket, prefix } = this.#settings
    const Key = [...(prefix === '' ? [] : [prefix]), checkedPath(path)].join('/')
    return { ...(await this.#open()), object: { Bucket: bucket, Key } }
  }

  #open() {
    this.#opened ??= this.#load()
    return this.#opened
  }

  async #load() {
    const library = await import('@aws-sdk/client-s3')
    const { endpoint, region, pathStyle, accessKeyId, secretAccessKey, allow, caFile } = this.#settings
    const client = new library.S3Client({
      region,
      forcePathStyle: pathStyle,
      followRegionRedirects: true,
      ...(endpoint === undefined ? {} : { endpoint }),
      credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
      // what is sent is covered by the signature; further checksums are more than many services know
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectMs,
        socketTimeout: idleMs,
        ...guardedAgents({ allow, caFile, connectTimeoutMs: connectMs }),
      },
    })
    return { library, client }
  }
}
