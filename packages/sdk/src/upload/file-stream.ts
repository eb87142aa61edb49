import { type FileRange, readNext } from './file-range.ts'

const readBytes = 2 ** 20

/** The body for a custom fetch. Each chunk has its own buffer: fetch may keep it. */
export function fileStream(range: FileRange, onFailure: (error: Error) => void): ReadableStream<Uint8Array> {
  let done = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, range.bytes - done))
        const read = await readNext(range, done, buffer).catch((error: Error) => {
          onFailure(error)
          throw error
        })
        done += read.length
        controller.enqueue(read)
        range.onSent(done)
        if (done === range.bytes) controller.close()
      },
    },
    { highWaterMark: 2 },
  )
}
