import type { UploadOptions, UploadProgress, Wharf } from '@wharf/sdk'
import { fileKey } from './file-key.ts'
import { TransferRate } from './transfer-rate.ts'

export interface UploadItem {
  readonly id: string
  /** The resume key; with it the upload is known before the server has responded. */
  readonly key: string
  readonly fileName: string
  readonly name: string
  readonly state: 'waiting' | 'sending' | 'paused' | 'processing' | 'done' | 'failed'
  readonly totalBytes: number
  /** Undefined until the server has responded with the bytes that it has. */
  readonly sentBytes: number | undefined
  /** The progress of the job after the last byte. */
  readonly percent: number
  readonly bytesPerSecond: number | undefined
  readonly secondsLeft: number | undefined
  readonly packageUuid: string | undefined
  /** The package is published as a release when it is stored. */
  readonly isPublished: boolean
  /** Set once it is published. */
  readonly releaseUuid: string | undefined
  readonly failure: unknown
}

/** The page of what an upload has created. */
export const resultPath = ({ packageUuid = '', releaseUuid }: UploadItem): readonly string[] =>
  releaseUuid === undefined ? ['packages', packageUuid] : ['releases', releaseUuid]

/** The upload options except those that the queue sets. */
export type Destination = Omit<UploadOptions, 'resumeKey' | 'signal' | 'onProgress' | 'onLog'>

/** Publishes a package once the server has stored it, and returns the uuid of the release; a retry repeats only this. */
type Publish = (packageUuid: string) => Promise<string>

interface Entry {
  item: UploadItem
  readonly wharf: Pick<Wharf, 'upload' | 'softwarePackages'>
  readonly file: File
  readonly destination: Destination
  readonly rate: TransferRate
  readonly publish: Publish | undefined
  stop: AbortController
  /** Set once started, also while the entry is waiting or paused. */
  upload?: ReturnType<Wharf['upload']> | undefined
  /** Set once the server has stored the package. */
  storedUuid?: string
}

/** A browser has six connections to a server, and the pages need some of them. */
const maxConcurrentUploads = 2
const activeStates: readonly UploadItem['state'][] = ['sending', 'processing']

/** The uploads of this tab; they continue across pages. */
export class UploadQueue {
  readonly #clock: { now(): number }
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()
  #shown: readonly UploadItem[] = []
  #lastId = 0

  constructor(clock: { now(): number } = performance) {
    this.#clock = clock
  }

  readonly read = (): readonly UploadItem[] => this.#shown

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  add(wharf: Entry['wharf'], file: File, destination: Destination, publish?: Publish): string {
    const id = String(++this.#lastId)
    const item: UploadItem = {
      ...fresh,
      id,
      key: fileKey(file),
      fileName: file.name,
      name: destination.name ?? file.name,
      totalBytes: file.size,
      isPublished: publish !== undefined,
    }
    const [rate, stop] = [new TransferRate(), new AbortController()]
    this.#entries.set(id, { item, wharf, file, destination, rate, publish, stop })
    this.#startNext()
    this.#show()
    return id
  }

  pause(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || !['waiting', 'sending'].includes(entry.item.state)) return
    entry.upload?.pause()
    this.#change(entry, { state: 'paused', bytesPerSecond: undefined, secondsLeft: undefined })
    this.#startNext()
  }

  resume(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.item.state === 'paused') this.#enqueue(entry)
  }

  /** Resumes at the offset of the server, if it still has the data. */
  retry(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.item.state !== 'failed') return
    entry.upload = undefined
    this.#enqueue(entry)
  }

  /** Deletes the data on the server. If that fails, the item is failed and can be cancelled again. */
  async cancel(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    entry.stop.abort()
    await entry.upload?.done.catch(() => {})
    const packageUuid = entry.upload?.packageUuid ?? entry.item.packageUuid
    if (packageUuid !== undefined && entry.item.state !== 'done')
      try {
        await entry.wharf.softwarePackages.delete(packageUuid, { deleteMode: 'Enforcing' })
      } catch (failure) {
        this.#end(entry, { state: 'failed', failure, packageUuid })
        throw failure
      }
    this.dismiss(id)
  }

  /** Removes an item from the list. */
  dismiss(id: string): void {
    this.#entries.delete(id)
    this.#startNext()
    this.#show()
  }

  /** Stops after a sign-out; the server keeps the data sent so far. */
  stopAll(): void {
    for (const { stop } of this.#entries.values()) stop.abort()
    this.#entries.clear()
    this.#show()
  }

  /** Lowers the rate of an upload whose connection is stuck: nothing reports that no byte is sent. */
  refreshRates(): void {
    for (const entry of this.#entries.values()) {
      const { state, sentBytes } = entry.item
      if (state === 'sending' && sentBytes !== undefined) this.#change(entry, this.#rateOf(entry, sentBytes))
    }
  }

  #startNext(): void {
    const entries = [...this.#entries.values()]
    const running = entries.filter(({ item }) => activeStates.includes(item.state)).length
    const waiting = entries.filter(({ item }) => item.state === 'waiting')
    for (const entry of waiting.slice(0, Math.max(0, maxConcurrentUploads - running))) this.#start(entry)
  }

  #enqueue(entry: Entry): void {
    this.#change(entry, { state: 'waiting' })
    this.#startNext()
  }

  #start(entry: Entry): void {
    const { wharf, file, destination } = entry
    entry.rate.reset()
    if (entry.storedUuid !== undefined) {
      void this.#finish(entry, entry.storedUuid)
      return
    }
    if (entry.upload) {
      this.#change(entry, { state: 'sending' })
      entry.upload.resume()
      return
    }
    entry.stop = new AbortController()
    this.#change(entry, { state: 'sending', sentBytes: undefined, failure: undefined, packageUuid: undefined })
    const { signal } = entry.stop
    const onProgress = (progress: UploadProgress): void => this.#progress(entry, progress)
    const upload = wharf.upload(file, { ...destination, resumeKey: entry.item.key, signal, onProgress })
    entry.upload = upload
    void upload.done.then(
      ({ uuid }) => this.#finish(entry, uuid),
      (failure: unknown) => {
        if (!signal.aborted) this.#end(entry, { state: 'failed', failure, packageUuid: upload.packageUuid })
      },
    )
  }

  async #finish(entry: Entry, packageUuid: string): Promise<void> {
    entry.storedUuid = packageUuid
    if (entry.publish === undefined) return this.#end(entry, { state: 'done', packageUuid })
    this.#change(entry, { ...still, state: 'processing', packageUuid, failure: undefined })
    try {
      this.#end(entry, { state: 'done', releaseUuid: await entry.publish(packageUuid) })
    } catch (failure) {
      this.#end(entry, { state: 'failed', failure })
    }
  }

  #progress(entry: Entry, { phase, sentBytes, percent = 0 }: UploadProgress): void {
    const packageUuid = entry.upload?.packageUuid
    if (phase === 'processing') {
      this.#change(entry, { ...still, state: 'processing', sentBytes, percent, packageUuid })
      return
    }
    if (entry.item.state !== 'sending') {
      this.#change(entry, { sentBytes, packageUuid })
      return
    }
    this.#change(entry, { sentBytes, packageUuid, ...this.#rateOf(entry, sentBytes) })
  }

  #rateOf({ rate, file }: Entry, sentBytes: number): Pick<UploadItem, 'bytesPerSecond' | 'secondsLeft'> {
    rate.add(this.#clock.now(), sentBytes)
    return { bytesPerSecond: rate.bytesPerSecond, secondsLeft: rate.secondsLeft(file.size) }
  }

  #end(entry: Entry, change: Partial<UploadItem>): void {
    this.#change(entry, { ...still, ...change })
    this.#startNext()
  }

  #change(entry: Entry, change: Partial<UploadItem>): void {
    entry.item = { ...entry.item, ...change }
    this.#show()
  }

  #show(): void {
    this.#shown = [...this.#entries.values()].map(({ item }) => item)
    for (const listener of this.#listeners) listener()
  }
}

const still = { bytesPerSecond: undefined, secondsLeft: undefined }
const fresh = {
  ...still,
  state: 'waiting',
  sentBytes: undefined,
  percent: 0,
  packageUuid: undefined,
  releaseUuid: undefined,
  failure: undefined,
} as const
