const MiB = 2 ** 20

export interface SliceRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A body that goes its own way, not through fetch; what it says and throws is what fetch would. */
interface SelfSent {
  send(url: string, request: SliceRequest): Promise<Response>
}

/** A piece of the file, ready to be sent. */
export interface Slice {
  readonly body: Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | SelfSent
  readonly bytes: number
  /** Nothing comes after it. */
  readonly isLast: boolean
}

/** Where the bytes of a package come from. */
export interface ByteSource {
  readonly name: string
  /** Undefined until a stream has ended. */
  readonly size: number | undefined
  /** The same for the same file, so that another process can go on with it; undefined when nobody can tell. */
  readonly identity: string | undefined
  readonly sliceBytes: number
  /** From this offset on. `onSent` is told as bytes leave, where that can be seen. */
  slice(offset: number, maxBytes: number, onSent: (bytes: number) => void): Promise<Slice>
  /** Why it cannot be read any more: fetch tells that as if the network had failed. */
  readonly failure?: Error | undefined
  close(): Promise<void>
}

/** Of a Blob, which a page cannot watch being sent: progress is told after each of these. */
const blobSliceBytes = 8 * MiB

export const blobSource = (blob: Blob, name: string): ByteSource => ({
  name,
  size: blob.size,
  identity: blob instanceof File ? `${blob.name} ${blob.size} ${blob.lastModified}` : undefined,
  sliceBytes: blobSliceBytes,
  async slice(offset, maxBytes) {
    const end = Math.min(blob.size, offset + maxBytes)
    return { body: blob.slice(offset, end), bytes: end - offset, isLast: end === blob.size }
  },
  close: async () => {},
})
