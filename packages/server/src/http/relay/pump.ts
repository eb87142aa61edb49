import type { ClientRequest } from 'node:http'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'

/**
 * The body of a call on its way to another node, never more of it than the connection takes. Where the caller breaks off,
 * so does this, after everything that had come: it counts there as it would have here.
 */
export async function pump(body: AsyncIterable<Buffer>, to: ClientRequest): Promise<void> {
  const closed = new Promise<void>((resolve) => void to.once('close', resolve))
  let written = Promise.resolve()
  try {
    for await (const chunk of body) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const hasCapacity = to.write(chunk, () => {
        releaseBuffer(chunk)
        resolve()
      })
      written = promise
      if (!hasCapacity) await Promise.race([promise, closed])
      if (to.destroyed) return
    }
    to.end()
  } catch {
    await Promise.race([written, closed])
    to.destroy()
  }
}
