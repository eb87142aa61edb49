import type { ClientRequest } from 'node:http'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'

/**
 * Forwards a body with backpressure. When the caller disconnects, the connection is closed after everything that arrived is
 * sent, so that the other node counts the same bytes.
 */
export async function forwardBody(body: AsyncIterable<Buffer>, to: ClientRequest): Promise<void> {
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
