import { observedBody } from '#file-source'
import type { ByteSource } from './byte-source.ts'

/** A proxy that buffers requests loses a whole slice when a connection breaks. */
const blobSliceBytes = 16 * 2 ** 20

/** A File or a Blob; it is read while it is sent. */
export const blobSource = (blob: Blob, { name, byFetch }: { name: string; byFetch: boolean }): ByteSource => ({
  name,
  size: blob.size,
  identity: blob instanceof File ? `${blob.name} ${blob.size} ${blob.lastModified}` : undefined,
  sliceBytes: blobSliceBytes,
  async slice(offset, maxBytes, onSent) {
    const end = Math.min(blob.size, offset + maxBytes)
    const body = observedBody(blob.slice(offset, end), onSent, byFetch)
    return { body, bytes: end - offset, isLast: end === blob.size }
  },
  close: async () => {},
})
