import { pipeline, type Readable, Transform } from 'node:stream'
import { streamMd5 } from '@wharf/platform/stream-digest.ts'
import type { BackupStorageDriver } from '../../backup-storage/driver.ts'
import { type DiskImage, diskImage, headBytes } from './disk-image.ts'

export interface StoredImage extends DiskImage {
  /** Bytes of the file. */
  readonly actualSize: number
  readonly md5Sum: string
}

/** Stores an image, and returns its format, size and checksum as read from the stored bytes. */
export async function storeImage(
  name: string,
  data: Readable,
  { driver, path, signal }: { driver: BackupStorageDriver; path: string; signal: AbortSignal },
): Promise<StoredImage> {
  // an earlier attempt may have stored it without recording that
  await driver.remove(path, { signal })
  const inspector = new ImageInspector()
  await driver.put(
    pipeline(data, inspector.stream, () => {}),
    path,
    { signal },
  )
  const { head, bytes, md5Sum } = inspector
  return { ...diskImage(head, bytes, name), actualSize: bytes, md5Sum }
}

class ImageInspector {
  readonly stream: Transform
  md5Sum = ''
  bytes = 0
  readonly #head: Buffer[] = []
  readonly #md5 = streamMd5()

  constructor() {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (this.bytes < headBytes) this.#head.push(Buffer.from(chunk.subarray(0, headBytes - this.bytes)))
        this.bytes += chunk.length
        Promise.resolve(this.#md5.update(chunk)).then(
          () => done(null, chunk),
          (error: Error) => done(error),
        )
      },
      flush: (done) => {
        this.#md5.digest().then(
          (sum) => {
            this.md5Sum = sum
            done()
          },
          (error: Error) => done(error),
        )
      },
      destroy: (error, done) => {
        this.#md5.close()
        done(error)
      },
    })
  }

  get head(): Buffer {
    return Buffer.concat(this.#head)
  }
}
