import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { guardedAgents } from '@wharf/downloads/guarded-agents.ts'
import { releaseReceived } from '@wharf/downloads/release-received.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Secret } from '@wharf/platform/secret.ts'
import { requireOwned } from '../../../jobs/ownership.ts'
import type { BackupStorageDriver, Capacity, StorageOptions } from '../driver.ts'
import type { S3Location } from '../locations.ts'
import { checkWritable } from './check-writable.ts'
import { lazyBytes } from './lazy-bytes.ts'
import { alreadyExists, supersededUpload } from './path-conflicts.ts'
import { isSuperseded, s3Failure, statusOf } from './s3-failure.ts'
import { ObjectExists, objectExists, type S3Library, type S3Target, upload } from './s3-upload.ts'
import { Source } from './source.ts'
import { checkedPath } from './storage-path.ts'

const connectMs = 10_000
/** Without any bytes: a service may take long to assemble a large object before it answers. */
const idleMs = 60_000

export interface S3Settings extends S3Location {
  /** The name of the storage in error texts. */
  readonly storage: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** Networks that are reached although they are refused by default. */
  readonly allow: readonly Cidr[]
  /** Roots to trust besides the system's. */
  readonly caFile?: string | undefined
}

/** A bucket, or the objects in it with a prefix. The client library is large, so it is loaded at its first use. */
export class S3Driver implements BackupStorageDriver {
  readonly #settings: S3Settings
  #opened: Promise<{ library: S3Library; client: S3Client }> | undefined

  constructor(settings: S3Settings) {
    this.#settings = settings
  }

  put(bytes: Readable, path: string, { signal }: StorageOptions): Promise<void> {
    const write = async (source: Source): Promise<void> => {
      const target = await this.#target(path)
      // avoids reading the source when the object exists; the upload checks again at its end
      if (await objectExists(target, signal).catch(() => false)) throw new ObjectExists()
      await this.#removeParts(target, signal)
      await upload(target, source, signal)
    }
    return Source.consume(bytes, signal, write, (error) => this.#writeFailure(error, path))
  }

  #writeFailure(error: unknown, path: string): ApiError {
    const { storage } = this.#settings
    if (error instanceof ObjectExists) return alreadyExists(path, storage)
    if (isSuperseded(error)) return supersededUpload(path, storage)
    return this.#failure(error, `write ${path}`)
  }

  get(path: string, { signal, start = 0, end }: StorageOptions & { start?: number; end?: number }): Readable {
    return lazyBytes(signal, (until) => this.#read(path, start, end, until))
  }

  async *#read(path: string, start: number, end: number | undefined, signal: AbortSignal) {
    let isReading = false
    try {
      const { library, client, object } = await this.#target(path)
      if (end !== undefined && end < start) return
      const range = start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ?? ''}` }
      const { Body } = await client.send(new library.GetObjectCommand({ ...object, ...range }), { abortSignal: signal })
      isReading = true
      if (Body instanceof IncomingMessage) releaseReceived(Body)
      yield* Body as Readable
    } catch (error) {
      signal.throwIfAborted()
      // the range starts after the end
      if (statusOf(error) === 416) return
      if (isReading) throw new ApiError('BS.1500', `${this.#settings.storage} broke off in ${path}`)
      throw this.#failure(error, `read ${path}`)
    }
  }

  exists(path: string, { signal }: StorageOptions): Promise<boolean> {
    return this.#attempt(`check for ${path}`, signal, async () => objectExists(await this.#target(path), signal))
  }

  async remove(path: string, { signal }: StorageOptions): Promise<void> {
    await this.#attempt(`remove ${path}`, signal, async () => {
      const target = await this.#target(path)
      const { library, client, object } = target
      // unfinished uploads first: one of them could still become the object
      await this.#removeParts(target, signal)
      requireOwned()
      await client.send(new library.DeleteObjectCommand(object), { abortSignal: signal })
    })
  }

  /** A bucket has no capacity; this only checks that it exists. */
  async usage({ signal }: StorageOptions): Promise<Capacity> {
    await this.#attempt('be checked', signal, async () => {
      const { library, client } = await this.#open()
      const command = new library.HeadBucketCommand({ Bucket: this.#settings.bucket })
      await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
        // an access key that may write objects may lack the permission for this call
        if (statusOf(error) !== 403) throw error
      })
    })
    return { totalCapacity: 0, availableCapacity: 0 }
  }

  check(options: StorageOptions): Promise<void> {
    return checkWritable(this, options)
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    opened?.client.destroy()
    this.#opened = undefined
  }

  async #attempt<T>(action: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failure(error, action)
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
      for (const { UploadId } of Uploads.filter((started) => started.Key === Key)) {
        // when the job has another owner, the upload may be that owner's
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
      // the signature covers the body; many services do not support further checksums
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
