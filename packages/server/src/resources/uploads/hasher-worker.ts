import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Digests } from '@wharf/platform/digests.ts'
import { bufferBytes } from './limits.ts'
import { UploadHash } from './upload-hash.ts'

/** The thread that hashes: MD5 costs more than everything else about an upload together. */

export type HasherOrder =
  /** A slice begins here; `algorithm` when it has a checksum of its own. */
  | { do: 'begin'; id: string; path: string; offset: number; algorithm: string | undefined; withSha256: boolean }
  /** The next bytes of the slice, in the order of their arrival. Answered when the buffer is no longer needed. */
  | { do: 'update'; id: string; buffer: number; length: number }
  | { do: 'checksum'; id: string; request: number }
  /** The slice has ended and the upload stands here; `kept` tells whether its bytes count. */
  | { do: 'end'; id: string; path: string; offset: number; kept: boolean }
  /** The digests of the whole file. */
  | { do: 'whole'; id: string; path: string; size: number; withSha256: boolean; request: number }
  | { do: 'forget'; id: string }

export type HasherReply =
  | { buffer: number }
  | { request: number; digest: string }
  | { request: number; digests: Digests }
  | { request: number; failure: Error }

interface State {
  whole: UploadHash
  /** How many bytes `whole` has seen. */
  bytes: number
  /** Whether the slice that runs goes into `whole` as it comes: not when `whole` is behind, after a restart. */
  follows: boolean
  /** `whole` and `bytes` as they were before the slice. */
  before: { whole: UploadHash; bytes: number } | undefined
  slice: Hash | undefined
  /** Reads the file from `bytes` up to here. */
  goal: number
  reading: Promise<void> | undefined
}

const port = parentPort
if (port === null) throw new Error('this file runs as a worker')
const memory = workerData as SharedArrayBuffer
const states = new Map<string, State>()
const reply = (message: HasherReply): void => port.postMessage(message)

/** One that has seen more than there is starts again, since it cannot go back, and so does one that lacks a digest. */
function stateAt(id: string, offset: number, withSha256: boolean): State {
  const known = states.get(id)
  const isEnough = known?.whole.hasSha256 || !withSha256
  if (known !== undefined && isEnough && known.bytes <= offset && known.goal <= offset) return known
  const fresh: State = {
    whole: UploadHash.create(withSha256),
    bytes: 0,
    follows: false,
    before: undefined,
    slice: undefined,
    goal: 0,
    reading: undefined,
  }
  states.set(id, fresh)
  return fresh
}

/** In small pieces, so that the slices of other uploads are hashed in between. */
async function read(id: string, state: State, path: string): Promise<void> {
  await using file = await open(path)
  const buffer = Buffer.allocUnsafe(bufferBytes)
  while (state.bytes < state.goal && states.get(id) === state) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, state.goal - state.bytes), state.bytes)
    if (bytesRead === 0) throw new Error(`${path} has less than ${state.goal} bytes`)
    state.whole.update(buffer.subarray(0, bytesRead))
    state.bytes += bytesRead
  }
}

function readUpTo(id: string, state: State, path: string, goal: number): Promise<void> {
  state.goal = goal
  state.reading ??= read(id, state, path).finally(() => {
    state.reading = undefined
  })
  return state.reading
}

async function whole(id: string, path: string, size: number, withSha256: boolean): Promise<Digests> {
  const state = stateAt(id, size, withSha256)
  while (state.bytes < size) {
    // more than once when it was about to end with a nearer goal
    await readUpTo(id, state, path, size)
    if (states.get(id) !== state) throw new Error('the upload was forgotten')
  }
  return state.whole.digests()
}

function obey(order: HasherOrder): void {
  if (order.do === 'forget') {
    states.delete(order.id)
  } else if (order.do === 'begin') {
    const state = stateAt(order.id, order.offset, order.withSha256)
    state.follows = state.bytes === order.offset
    state.before = { whole: state.whole.copy(), bytes: state.bytes }
    state.slice = order.algorithm === undefined ? undefined : createHash(order.algorithm)
    if (!state.follows) readUpTo(order.id, state, order.path, order.offset).catch(() => {})
  } else if (order.do === 'update') {
    const state = states.get(order.id)
    const bytes = new Uint8Array(memory, order.buffer * bufferBytes, order.length)
    state?.slice?.update(bytes)
    if (state?.follows) {
      state.whole.update(bytes)
      state.bytes += order.length
    }
    reply({ buffer: order.buffer })
  } else if (order.do === 'checksum') {
    const { request } = order
    const digest = states.get(order.id)?.slice?.digest('hex')
    reply(digest === undefined ? { request, failure: new Error('the slice was not hashed') } : { request, digest })
  } else if (order.do === 'end') {
    const state = states.get(order.id)
    if (state === undefined) return
    if (state.follows && !order.kept && state.before) Object.assign(state, state.before)
    state.before = undefined
    state.slice = undefined
    // what goes wrong here goes wrong again at the end, where someone waits for it
    if (!state.follows && order.kept) readUpTo(order.id, state, order.path, order.offset).catch(() => {})
    state.follows = false
  } else {
    const { id, path, size, withSha256, request } = order
    whole(id, path, size, withSha256).then(
      (digests) => reply({ request, digests }),
      (failure: Error) => reply({ request, failure }),
    )
  }
}

port.on('message', obey)
