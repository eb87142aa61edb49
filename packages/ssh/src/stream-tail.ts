import type { Readable } from 'node:stream'

const keptBytes = 8192

/** Reads a stream and keeps its end, where errors name their cause. */
export function streamTail(stream: Readable): () => string {
  let kept = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-keptBytes)
  })
  return () => kept.toString('utf8')
}
