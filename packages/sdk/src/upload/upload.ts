import { type AnswerOf, uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import type { OutageListener, Tags, WaitOptions } from '../call-types.ts'
import { deferred } from '../deferred.ts'
import { UploadError } from '../error.ts'
import { platformFetch } from '../http/platform-fetch.ts'
import type { RetryLimits } from '../http/retry.ts'
import type { Transport } from '../http/transport.ts'
import { endedEarly, uploadedBy } from './arrival.ts'
import type { UploadClient, UploadedPackage } from './client.ts'
import { cancelJobOf, giveUp } from './giving-up.ts'
import { nodeFor } from './node.ts'
import { openSource, type UploadSource } from './open-source.ts'
import { sendSlices } from './sending.ts'
import type { ByteSource } from './source.ts'
import { Switch } from './switch.ts'
import { TusAddress } from './tus.ts'

export type { UploadSource } from './open-source.ts'

interface Place {
  /** Of the package; the name of the file when absent. */
  name?: string | undefined
  type: string
  /** The file to make there. */
  installPath: string
}

export interface UploadProgress {
  readonly sentBytes: number
  /** Undefined for a stream until it has ended. */
  readonly totalBytes: number | undefined
  /** Sending, then what the server does with it. */
  readonly phase: 'sending' | 'processing'
  /** Of the processing, in percent. */
  readonly percent?: number | undefined
}

export type UploadOptions = Place &
  Tags &
  OutageListener & {
    /** To a host … */
    hostUuid?: string | undefined
    /** (by this node; the one that is there when absent) */
    managementNodeUuid?: string | undefined
    /** … or to backup storage: this one, or the one with most room when `toBackupStorage`. */
    backupStorageUuid?: string | undefined
    toBackupStorage?: boolean | undefined
    resourceUuid?: string | undefined
    tagUuids?: readonly string[] | undefined
    /** What the whole file must have, in hex: the server refuses another. */
    md5?: string | undefined
    sha256?: string | undefined
    /** Another upload with the same key goes on where this one was; by default the SHA-256, or made of the file's name, size and date. */
    resumeKey?: string | undefined
    /** At most 64 MiB. */
    sliceBytes?: number | undefined
    onProgress?: ((progress: UploadProgress) => void) | undefined
    /** Told of every line in the log of the job that follows the sending. */
    onLog?: WaitOptions['onLog']
    /** How long it goes on without an answer once the server has opened it; those of the client when absent. */
    retry?: Partial<RetryLimits> | undefined
    /** Stops it. What the server has stays there for 72 hours. */
    signal?: AbortSignal | undefined
  }

interface Opened {
  readonly address: TusAddress
  readonly record: UploadedPackage
}

/** A package on its way. */
export class Upload {
  /** The package as it is in its place; throws what went wrong. */
  readonly done: Promise<UploadedPackage>
  readonly #sending = new Switch()
  readonly #wharf: UploadClient
  readonly #transport: Transport
  readonly #options: UploadOptions
  /** Undefined when it cannot be. */
  readonly #opened = deferred<Opened | undefined>()
  readonly #givenUp = new AbortController()
  #packageUuid: string | undefined

  constructor(wharf: UploadClient, transport: Transport, source: UploadSource, options: UploadOptions) {
    this.#wharf = wharf
    this.#transport = transport
    this.#options = options
    this.done = this.#run(source)
    // whoever never looks at it is not punished for that
    this.done.catch(() => {})
  }

  /** Undefined until the server has made the record. */
  get packageUuid(): string | undefined {
    return this.#packageUuid
  }

  get isPaused(): boolean {
    return !this.#sending.isOn
  }

  /** Sends nothing until `resume`; what the server has is kept. */
  pause(): void {
    this.#sending.turnOff()
  }

  resume(): void {
    this.#sending.turnOn()
  }

  /**
   * Gives it up for good: the package ends as UploadFailed. When all of it is there already, the job that works on it is
   * cancelled and undoes what it did; `done` tells how that ended.
   */
  async terminate(): Promise<void> {
    const opened = await this.#opened.promise
    if (opened === undefined) return
    const { address, record } = opened
    if (await giveUp(address, this.#transport.retry)) this.#givenUp.abort(endedEarly(record))
    else await cancelJobOf(this.#wharf, record.uuid)
  }

  async #run(given: UploadSource): Promise<UploadedPackage> {
    const byFetch = this.#transport.fetch !== platformFetch
    const source = await openSource(given, { name: this.#options.name, byFetch }).catch((error: unknown) => {
      this.#opened.resolve(undefined)
      throw error
    })
    try {
      const { inventory, systemTags = [] } = await this.#open(source)
      this.#packageUuid = inventory.uuid
      const address = systemTags.find((tag) => tag.startsWith('uploadUrl::'))?.slice('uploadUrl::'.length)
      if (address === undefined) throw new UploadError('the server gave no address to send the slices to')
      const tus = new TusAddress(this.#reachable(address), this.#transport.fetch)
      this.#opened.resolve({ address: tus, record: inventory })
      const { onProgress, onLog, onDisconnected, onReconnected, sliceBytes = source.sliceBytes } = this.#options
      const listener = { onDisconnected, onReconnected }
      const signal = AbortSignal.any([this.#givenUp.signal, ...(this.#options.signal ? [this.#options.signal] : [])])
      const totalBytes = await sendSlices({
        address: tus,
        source,
        sliceBytes,
        sending: this.#sending,
        retry: { ...this.#transport.retry, ...this.#options.retry },
        signal,
        ...listener,
        onSent: (sentBytes) => onProgress?.({ sentBytes, totalBytes: source.size, phase: 'sending' }),
      })
      return await uploadedBy(this.#wharf, inventory.uuid, {
        ...listener,
        signal,
        onLog,
        onProgress: ({ progress }) =>
          onProgress?.({ sentBytes: totalBytes, totalBytes, phase: 'processing', percent: progress ?? 0 }),
      })
    } finally {
      this.#opened.resolve(undefined)
      await source.close()
    }
  }

  async #open(source: ByteSource): Promise<AnswerOf<typeof uploadSoftwarePackage>> {
    const { hostUuid, backupStorageUuid, toBackupStorage, type, installPath, md5, sha256, signal } = this.#options
    const { resourceUuid, tagUuids, userTags, resumeKey, name = source.name } = this.#options
    const known = new URLSearchParams({
      ...(source.size === undefined ? {} : { size: String(source.size) }),
      ...(md5 === undefined ? {} : { md5 }),
    })
    const url = `upload://${encodeURIComponent(source.name)}${known.size > 0 ? `?${known}` : ''}`
    // the server would take other text for a key, and compare nothing
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) throw new TypeError('sha256 must be 64 hex digits')
    const key = resumeKey ?? sha256 ?? (await keyOf(source.identity))
    const keys = new Set([key, sha256].filter((one) => one !== undefined))
    const systemTags = [...(this.#options.systemTags ?? []), ...[...keys].map((one) => `uploadSoftwarePackage::${one}`)]
    const common = {
      name,
      type,
      url,
      installPath,
      resourceUuid,
      tagUuids: tagUuids && [...tagUuids],
      systemTags,
      userTags,
    }
    if ((hostUuid === undefined) === (backupStorageUuid === undefined && !toBackupStorage))
      throw new TypeError('give either hostUuid, or backupStorageUuid or toBackupStorage')
    if (hostUuid === undefined)
      return this.#wharf.call(uploadSoftwarePackageToBackupStorage, { ...common, backupStorageUuid }, { signal })
    const managementNodeUuid = this.#options.managementNodeUuid ?? (await nodeFor(this.#wharf, hostUuid, signal))
    return this.#wharf.call(uploadSoftwarePackage, { ...common, hostUuid, managementNodeUuid }, { signal })
  }

  /** The host in the address is the server's idea of its own; ours has just worked. */
  #reachable(address: string): string {
    const at = address.indexOf('/v1/uploads/')
    return at < 0 ? address : this.#wharf.url + address.slice(at)
  }
}

/** Without a word of the file's name, since tags are read by others; 64 hex digits alone would be a digest of the content. */
async function keyOf(identity: string | undefined): Promise<string | undefined> {
  if (identity === undefined || crypto.subtle === undefined) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(identity))
  return `file-${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
