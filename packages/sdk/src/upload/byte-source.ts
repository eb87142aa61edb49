import type { HttpResponse, RequestInput } from '../http/send-request.ts'

export type SliceRequest = Omit<RequestInput, 'body'>

/** A body that sends itself instead of passing through fetch; responses and errors are those of fetch. */
interface SelfSendingBody {
  send(url: string, request: SliceRequest): Promise<HttpResponse>
}

export interface Slice {
  readonly body: Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | SelfSendingBody
  readonly bytes: number
  readonly isLast: boolean
}

/** The content of a package. */
export interface ByteSource {
  readonly name: string
  /** Undefined until a stream has ended. */
  readonly size: number | undefined
  /** Equal for the same file, so that another process can resume its upload; undefined when it has no identity. */
  readonly identity: string | undefined
  readonly sliceBytes: number
  /** The slice at this offset. Calls `onSent` with the bytes of the slice that are sent, while it is sent. */
  slice(offset: number, maxBytes: number, onSent: (bytes: number) => void): Promise<Slice>
  /** The read error: fetch reports it as a network failure. */
  readonly failure?: Error | undefined
  close(): Promise<void>
}
