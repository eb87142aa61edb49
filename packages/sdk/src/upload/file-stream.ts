import { type FilePiece, readNext } from './file-piece.ts'

const readBytes = 2 ** 20

/** For a fetch that somebody has given. A buffer of its own each time: that may keep it for as long as it likes. */
export function fileStream(piece: FilePiece, onFailure: (error: Error) => void): ReadableStream<Uint8Array> {
  let done = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, piece.bytes - done))
        const read = await readNext(piece, done, buffer).catch((error: Error) => {
          onFailure(error)
          throw error
        })
        done += read.length
        controller.enqueue(read)
        piece.onSent(done)
        if (done === piece.bytes) controller.close()
      },
    },
    { highWaterMark: 2 },
  )
}
