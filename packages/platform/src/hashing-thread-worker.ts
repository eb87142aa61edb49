import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { bufferBytes } from './buffer-pool.ts'
import type { Digests } from './digests.ts'

/** The script of `HashingThread`. */

export type HashingOrder =
  /** A stream starts; `algorithm` for its own checksum, `file` when it is a slice of a file. */
  | {
      do: 'begin'
      id: string
      algorithm: string | undefined
      file?: { path: string; offset: number; withSha256: boolean }
    }
  /** The next bytes of the stream, in the order of their arrival. Replied to when the buffer is no longer needed. */
  | { do: 'update'; id: string; buffer: number; length: number }
  | { do: 'checksum'; id: string; request: number }
  /** The slice has ended and the file ends at `offset`; `isKept` unless the bytes of the slice are discarded. */
  | { do: 'end'; id: string; path: string; offset: number; isKept: boolean }
  /** The digests of the whole file. */
  | { do: 'whole'; id: string; path: string; size: number; withSha256: boolean; request: number }
  | { do: 'forget'; id: string }

export type HashingReply =
  | { buffer: number }
  | { request: number; result: string | Digests }
  | { request: number; failure: Error }

/** Of a whole file: MD5 always, SHA-256 only where one is expected, since it costs time. */
class WholeHash {
  readonly #md5: Hash
  readonly #sha256: Hash | undefined

  constructor(md5: Hash, sha256: Hash | undefined) {
    this.#md5 = md5
    this.#sha256 = sha256
  }

  static fresh(withSha256: boolean): WholeHash {
    return new WholeHash(createHash('md5'), withSha256 ? createHash('sha256') : undefined)
  }

  get hasSha256(): boolean {
    return this.#sha256 !== undefined
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes)
    this.#sha256?.update(bytes)
  }

  copy(): WholeHash {
    return new WholeHash(this.#md5.copy(), this.#sha256?.copy())
  }

  /** Of the bytes so far; more may follow. */
  digests(): Digests {
    const sha256 = this.#sha256?.copy().digest('hex')
    return { md5: this.#md5.copy().digest('hex'), ...(sha256 === undefined ? {} : { sha256 }) }
  }
}

interface FileState {
  whole: WholeHash
  /** How many bytes `whole` contains. */
  bytes: number
  /** Whether the current slice is added to `whole` as it arrives: not when `whole` is behind, after a restart. */
  follows: boolean
  /** `whole` and `bytes` as they were before the slice. */
  before: { whole: WholeHash; bytes: number } | undefined
  /** The file is being read from `bytes` up to this offset. */
  goal: number
  reading: Promise<void> | undefined
}

const port = parentPort
if (port === null) throw new Error('this file runs as a worker')
const memory = workerData as SharedArrayBuffer
const files = new Map<string, FileState>()
const streams = new Map<string, Hash>()
const reply = (message: HashingReply): void => port.postMessage(message)

/** A hash cannot be rewound, so a state that is ahead of the file starts again, and so does one that lacks a digest. */
function stateAt(id: string, offset: number, withSha256: boolean): FileState {
  const known = files.get(id)
  const isEnough = known?.whole.hasSha256 || !withSha256
  if (known !== undefined && isEnough && known.bytes <= offset && known.goal <= offset) return known
  const fresh: FileState = {
    whole: WholeHash.fresh(withSha256),
    bytes: 0,
    follows: false,
    before: undefined,
    goal: 0,
    reading: undefined,
  }
  files.set(id, fresh)
  return fresh
}

/** In small pieces, so that slices of other files are hashed meanwhile. */
async function read(id: string, state: FileState, path: string): Promise<void> {
  await using file = await open(path)
  const buffer = Buffer.allocUnsafe(bufferBytes)
  while (state.bytes < state.goal && files.get(id) === state) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, state.goal - state.bytes), state.bytes)
    if (bytesRead === 0) throw new Error(`${path} has less than ${state.goal} bytes`)
    state.whole.update(buffer.subarray(0, bytesRead))
    state.bytes += bytesRead
  }
}

function readUpTo(id: string, state: FileState, path: string, goal: number): Promise<void> {
  state.goal = goal
  state.reading ??= read(id, state, path).finally(() => {
    state.reading = undefined
  })
  return state.reading
}

async function whole(id: string, path: string, size: number, withSha256: boolean): Promise<Digests> {
  const state = stateAt(id, size, withSha256)
  while (state.bytes < size) {
    // again when the running read was about to end at an earlier goal
    await readUpTo(id, state, path, size)
    if (files.get(id) !== state) throw new Error('the file was forgotten')
  }
  return state.whole.digests()
}

function begin({ id, algorithm, file }: HashingOrder & { do: 'begin' }): void {
  if (algorithm === undefined) streams.delete(id)
  else streams.set(id, createHash(algorithm))
  if (file === undefined) return
  const state = stateAt(id, file.offset, file.withSha256)
  state.follows = state.bytes === file.offset
  state.before = { whole: state.whole.copy(), bytes: state.bytes }
  if (!state.follows) readUpTo(id, state, file.path, file.offset).catch(() => {})
}

function update({ id, buffer, length }: HashingOrder & { do: 'update' }): void {
  const bytes = new Uint8Array(memory, buffer * bufferBytes, length)
  streams.get(id)?.update(bytes)
  const state = files.get(id)
  if (state?.follows) {
    state.whole.update(bytes)
    state.bytes += length
  }
  reply({ buffer })
}

function end({ id, path, offset, isKept }: HashingOrder & { do: 'end' }): void {
  streams.delete(id)
  const state = files.get(id)
  if (state === undefined) return
  if (state.follows && !isKept && state.before) Object.assign(state, state.before)
  state.before = undefined
  // a failure here is repeated by the read for the digests of the whole, whose caller receives it
  if (!state.follows && isKept) readUpTo(id, state, path, offset).catch(() => {})
  state.follows = false
}

function perform(order: HashingOrder): void {
  if (order.do === 'begin') begin(order)
  else if (order.do === 'update') update(order)
  else if (order.do === 'end') end(order)
  else if (order.do === 'forget') files.delete(order.id)
  else if (order.do === 'checksum') {
    const { request, id } = order
    const result = streams.get(id)?.digest('hex')
    reply(
      result === undefined
        ? { request, failure: new Error('the hashing thread has lost the stream') }
        : { request, result },
    )
  } else {
    const { id, path, size, withSha256, request } = order
    whole(id, path, size, withSha256).then(
      (result) => reply({ request, result }),
      (failure: Error) => reply({ request, failure }),
    )
  }
}

port.on('message', perform)
