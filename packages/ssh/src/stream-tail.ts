import type { Readable } from 'node:stream'

const keptBytes = 8192

/** Reads a stream, until it is disposed of, and keeps its end, where errors name their cause. */
export function streamTail(stream: Readable): (() => string) & Disposable {
  let kept = Buffer.alloc(0)
  const add = (chunk: Buffer): void => {
    kept = Buffer.concat([kept, chunk]).subarray(-keptBytes)
  }
  stream.on('data', add)
  return Object.assign(() => kept.toString('utf8'), { [Symbol.dispose]: () => void stream.off('data', add) })
}
