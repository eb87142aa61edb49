import { Transform, type TransformCallback } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'
import { digestMismatch, type ExpectedDigests } from '@wharf/platform/digests.ts'
import { type StreamDigest, streamMd5, streamSha256 } from '@wharf/platform/stream-digest.ts'
import { type ArchiveFormat, claimsArchive, FirstBytes, type Wrapping, wrappingOf } from './archive-format.ts'
import { CompressedTar } from './compressed-tar.ts'
import { type ArchiveContents, EntryRules, noContents } from './entry-rules.ts'
import { refuseArchive } from './refusal.ts'
import { TarReader } from './tar/tar-reader.ts'

export interface StreamInspectionOptions {
  /** The name of the file at its source. */
  readonly fileName: string
  /** The total size, if known. */
  readonly size?: number | undefined
  /** Expected digests; the stream fails at its end when they differ. */
  readonly expected?: ExpectedDigests | undefined
  /** Compute the SHA-256 also when none is expected. */
  readonly withSha256?: boolean | undefined
  /** Free space for the unpacked files. */
  readonly availableBytes: number
  readonly signal: AbortSignal
}

/** A zip is forwarded without inspection: it can be read only as a whole, by `inspectZip`. */
export interface InspectionResult extends ArchiveContents {
  readonly format: ArchiveFormat
  readonly md5: string
  /** Only when it was expected or requested. */
  readonly sha256?: string | undefined
  readonly size: number
}

/** As much waits for a slow target, so that the inspection does not wait for each single piece. */
const readableHighWaterMark = 512 * 1024

/** Calls `next` when it accepts more. */
type Inspector = (chunk: Buffer, next: () => void) => void

const formats = { tar: 'tar', gzip: 'tar.gz', zstd: 'tar.zst', zip: 'zip', file: 'file' } as const

/**
 * Inspects a package in transit: `stream` forwards its bytes, and fails with SoftwarePackage.1132 as soon as they break a
 * rule. The stream ends only after all rules were checked.
 */
export class StreamInspection {
  readonly stream: Transform
  readonly #claimed: boolean
  readonly #rules: EntryRules
  readonly #expected: ExpectedDigests
  readonly #md5: StreamDigest
  readonly #sha256: StreamDigest | undefined
  #size = 0
  readonly #head = new FirstBytes()
  readonly #wrapping = Promise.withResolvers<Wrapping>()
  readonly #result = Promise.withResolvers<InspectionResult>()
  #inspector: Inspector | undefined
  #tar: TarReader | undefined
  #compressed: CompressedTar | undefined

  constructor({ fileName, size, expected = {}, withSha256 = false, availableBytes, signal }: StreamInspectionOptions) {
    this.#expected = expected
    this.#md5 = streamMd5(size)
    this.#sha256 = withSha256 || expected.sha256 !== undefined ? streamSha256(size) : undefined
    this.#claimed = claimsArchive(fileName)
    this.#rules = new EntryRules(availableBytes)
    const abort = () => this.stream.destroy(asError(signal.reason))
    this.stream = new Transform({
      readableHighWaterMark,
      transform: (chunk: Buffer, _encoding, done) => this.#pass(chunk, done),
      flush: (done) => {
        this.#finish().then(
          () => done(),
          (error) => done(error),
        )
      },
      destroy: (error, done) => {
        listening[Symbol.dispose]()
        this.#compressed?.close()
        this.#md5.close()
        this.#sha256?.close()
        for (const promise of [this.#wrapping, this.#result]) promise.reject(error ?? new Error('closed early'))
        done(error)
      },
    })
    // callers read the promises; the stream fails on its own
    for (const { promise } of [this.#wrapping, this.#result] as { promise: Promise<unknown> }[]) promise.catch(() => {})
    // only when it is part of a pipeline, which then fails with the reason
    const listening = onAbort(signal, () => process.nextTick(abort))
  }

  /** Resolves after the first bytes, before they are consumed: a zip must be stored on this node. */
  wrapping(): Promise<Wrapping> {
    return this.#wrapping.promise
  }

  result(): Promise<InspectionResult> {
    return this.#result.promise
  }

  #pass(chunk: Buffer, done: TransformCallback): void {
    const hashing = bothOf(this.#md5.update(chunk), this.#sha256?.update(chunk))
    this.#size += chunk.length
    const next = (): void => {
      if (hashing === undefined) done(null, chunk)
      else
        hashing.then(
          () => done(null, chunk),
          (error) => done(error),
        )
    }
    try {
      if (this.#inspector !== undefined) this.#inspector(chunk, next)
      else this.#decide(this.#head.add(chunk), next)
    } catch (error) {
      done(error as Error)
    }
  }

  /** When the start suffices to determine the format. */
  #decide(head: Buffer | undefined, next: () => void): void {
    if (head === undefined) {
      next()
      return
    }
    const wrapping = wrappingOf(head, this.#claimed)
    if (wrapping === 'file' && this.#claimed)
      throw refuseArchive('its name ends like an archive, but its content is none')
    this.#inspector = this.#createInspector(wrapping)
    this.#inspector(head, next)
    this.#wrapping.resolve(wrapping)
  }

  #createInspector(wrapping: Wrapping): Inspector {
    const rules = this.#rules
    if (wrapping === 'tar') {
      const tar = new TarReader(rules)
      this.#tar = tar
      return (chunk, next) => {
        tar.push(chunk)
        next()
      }
    }
    if (wrapping === 'gzip' || wrapping === 'zstd') {
      const onFailure = (error: Error) => this.stream.destroy(error)
      const compressed = new CompressedTar({ wrapping, rules, claimed: this.#claimed, onFailure })
      this.#compressed = compressed
      return (chunk, next) => compressed.push(chunk, next)
    }
    return (_chunk, next) => next()
  }

  async #finish(): Promise<void> {
    if (this.#inspector === undefined) await new Promise<void>((resolve) => this.#decide(this.#head.all(), resolve))
    this.#tar?.end()
    await this.#compressed?.end()
    const wrapping = await this.#wrapping.promise
    const hasTar = this.#tar !== undefined || this.#compressed?.hasTar === true
    const format = wrapping === 'zip' || hasTar ? formats[wrapping] : 'file'
    const contents = hasTar ? this.#rules.finish() : noContents
    const digests = { md5: await this.#md5.digest(), sha256: await this.#sha256?.digest() }
    const mismatch = digestMismatch(this.#expected, digests)
    if (mismatch !== undefined) throw mismatch
    this.#result.resolve({ ...contents, format, ...digests, size: this.#size })
  }
}

/** Undefined when neither is pending. */
const bothOf = (one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<unknown> | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Promise.all([one, other])

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error('aborted', { cause: reason }))
