import { type AnswerOf, uploadSoftwarePackage, uploadSoftwarePackageToBackupStorage } from '@wharf/contract'
import type { OutageListener, Tags, WaitOptions } from '../call-types.ts'
import { deferred } from '../deferred.ts'
import { UploadError } from '../error.ts'
import { toHex } from '../hex.ts'
import { platformFetch } from '../http/platform-fetch.ts'
import type { RetryLimits } from '../http/retry.ts'
import type { Transport } from '../http/transport.ts'
import { newestJobUuid } from '../jobs/newest-job.ts'
import { managementNodeForHost } from '../management-node.ts'
import { abortUpload } from './abort-upload.ts'
import type { ByteSource } from './byte-source.ts'
import { openSource, type UploadSource } from './open-source.ts'
import { PauseControl } from './pause-control.ts'
import { sendSlices } from './send-slices.ts'
import { TusUpload } from './tus.ts'
import type { UploadClient, UploadedPackage } from './upload-client.ts'
import { incompleteUploadError, waitUntilStored } from './wait-until-stored.ts'

export type { UploadSource } from './open-source.ts'

interface PackageFields {
  /** Default: the name of the file. */
  name?: string | undefined
  type: string
  /** The file to create on the host or the backup storage. */
  installPath: string
}

export interface UploadProgress {
  readonly sentBytes: number
  /** Undefined for a stream until it has ended. */
  readonly totalBytes: number | undefined
  /** The client sends the bytes, then the server processes them. */
  readonly phase: 'sending' | 'processing'
  /** Progress of the processing, in percent. */
  readonly percent?: number | undefined
}

export type UploadOptions = PackageFields &
  Tags &
  OutageListener & {
    /** The host to upload to … */
    hostUuid?: string | undefined
    /** (through this node; default: the host's own node, else any that is alive) */
    managementNodeUuid?: string | undefined
    /** … or the backup storage; `toBackupStorage` selects the one with the most free space. */
    backupStorageUuid?: string | undefined
    toBackupStorage?: boolean | undefined
    resourceUuid?: string | undefined
    tagUuids?: readonly string[] | undefined
    /** The expected digests in hex; the server refuses a file with another digest. */
    md5?: string | undefined
    sha256?: string | undefined
    /** Another upload with the same key resumes this one. Default: the SHA-256, or a hash of the file's name, size and date. */
    resumeKey?: string | undefined
    /** At most 64 MiB. */
    sliceBytes?: number | undefined
    onProgress?: ((progress: UploadProgress) => void) | undefined
    /** Receives every log line of the job that processes the upload. */
    onLog?: WaitOptions['onLog']
    timestamps?: WaitOptions['timestamps']
    /** Retry limits after the server has created the upload. Default: those of the client. */
    retry?: Partial<RetryLimits> | undefined
    /** Stops the upload. The server keeps the received bytes for 72 hours. */
    signal?: AbortSignal | undefined
  }

interface OpenUpload {
  readonly tus: TusUpload
  readonly record: UploadedPackage
}

/** The upload of one package. */
export class Upload {
  /** Resolves with the stored package; rejects when the upload fails. */
  readonly done: Promise<UploadedPackage>
  readonly #pauseControl = new PauseControl()
  readonly #wharf: UploadClient
  readonly #transport: Transport
  readonly #options: UploadOptions
  /** Undefined when the upload fails before the server creates it. */
  readonly #opened = deferred<OpenUpload | undefined>()
  readonly #terminated = new AbortController()
  #packageUuid: string | undefined

  constructor(wharf: UploadClient, transport: Transport, source: UploadSource, options: UploadOptions) {
    this.#wharf = wharf
    this.#transport = transport
    this.#options = options
    this.done = this.#run(source)
    // an unobserved failure must not end the process
    this.done.catch(() => {})
  }

  /** Undefined until the server has created the record. */
  get packageUuid(): string | undefined {
    return this.#packageUuid
  }

  get isPaused(): boolean {
    return this.#pauseControl.isPaused
  }

  /** Sends nothing until `resume`; the server keeps the received bytes. */
  pause(): void {
    this.#pauseControl.pause()
  }

  resume(): void {
    this.#pauseControl.resume()
  }

  /**
   * Aborts the upload: the package becomes UploadFailed. When the server already has every byte, cancels the job that
   * processes them instead; `done` rejects with the result.
   */
  async terminate(): Promise<void> {
    const opened = await this.#opened.promise
    if (opened === undefined) return
    const { tus, record } = opened
    if (await abortUpload(tus, this.#transport.retry)) return this.#terminated.abort(incompleteUploadError(record))
    const jobUuid = await newestJobUuid(this.#wharf, record.uuid)
    if (jobUuid !== undefined) await this.#wharf.jobs.cancel(jobUuid)
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
      if (address === undefined) throw new UploadError('the response has no uploadUrl tag')
      const tus = new TusUpload(this.#reachable(address), this.#transport.fetch)
      this.#opened.resolve({ tus, record: inventory })
      const { onProgress, onLog, timestamps, onDisconnected, onReconnected } = this.#options
      const { sliceBytes = source.sliceBytes } = this.#options
      const listener = { onDisconnected, onReconnected }
      const signal = AbortSignal.any([this.#terminated.signal, ...(this.#options.signal ? [this.#options.signal] : [])])
      const totalBytes = await sendSlices({
        upload: tus,
        source,
        sliceBytes,
        pauseControl: this.#pauseControl,
        retry: { ...this.#transport.retry, ...this.#options.retry },
        signal,
        ...listener,
        onSent: (sentBytes) => onProgress?.({ sentBytes, totalBytes: source.size, phase: 'sending' }),
      })
      return await waitUntilStored(this.#wharf, inventory.uuid, {
        ...listener,
        signal,
        onLog,
        timestamps,
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
    // the server treats any other text as a resume key and compares no digest
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
      throw new TypeError('pass either hostUuid, or backupStorageUuid or toBackupStorage')
    if (hostUuid === undefined)
      return this.#wharf.call(uploadSoftwarePackageToBackupStorage, { ...common, backupStorageUuid }, { signal })
    const managementNodeUuid =
      this.#options.managementNodeUuid ?? (await managementNodeForHost(this.#wharf, hostUuid, { signal }))
    return this.#wharf.call(uploadSoftwarePackage, { ...common, hostUuid, managementNodeUuid }, { signal })
  }

  /** The server may not know the address under which this client reaches it. */
  #reachable(address: string): string {
    const at = address.indexOf('/v1/uploads/')
    return at < 0 ? address : this.#wharf.url + address.slice(at)
  }
}

/** Hashed because other users can read tags; prefixed because 64 hex digits alone are a digest of the content. */
async function keyOf(identity: string | undefined): Promise<string | undefined> {
  if (identity === undefined || crypto.subtle === undefined) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(identity))
  return `file-${toHex(new Uint8Array(digest))}`
}
