import type { Slice, SliceRequest } from './byte-source.ts'

/** The members of XMLHttpRequest that are used; the SDK is compiled without the types of browsers. */
interface Xhr {
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null }
  readonly status: number
  readonly responseText: string
  readonly responseURL: string
  onload: (() => void) | null
  onerror: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Uint8Array<ArrayBuffer> | Blob): void
  abort(): void
}

type XhrConstructor = new () => Xhr

/** The body of a request that reports what is sent, in browsers. A custom fetch and service workers report only whole slices. */
export function observedBody(
  content: Uint8Array<ArrayBuffer> | Blob,
  onSent: (bytes: number) => void,
  byFetch: boolean,
): Slice['body'] {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: XhrConstructor }
  if (byFetch || XMLHttpRequest === undefined) return content
  return {
    send: (url: string, request: SliceRequest) => sendByXhr(new XMLHttpRequest(), { url, request, content, onSent }),
  }
}

interface Sending {
  readonly url: string
  readonly request: SliceRequest
  readonly content: Uint8Array<ArrayBuffer> | Blob
  readonly onSent: (bytes: number) => void
}

/** fetch reports nothing about a body that it sends; responses and errors are those of fetch. */
function sendByXhr(xhr: Xhr, { url, request, content, onSent }: Sending): Promise<Response> {
  const { method, headers, signal } = request
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      xhr.abort()
      reject(signal.reason)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const end = (): void => signal.removeEventListener('abort', stop)
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded }) => onSent(loaded)
    xhr.onload = () => {
      end()
      resolve(responseOf(xhr, url))
    }
    xhr.onerror = () => {
      end()
      // fetch reports network failures as TypeError
      reject(new TypeError('the connection was interrupted'))
    }
    xhr.send(content)
  })
}

function responseOf(xhr: Xhr, url: string): Response {
  // unlike fetch, XMLHttpRequest follows a redirect: its target is not the server
  if (xhr.responseURL !== '' && new URL(xhr.responseURL).href !== new URL(url).href)
    return new Response(null, { status: 307, headers: { location: xhr.responseURL } })
  const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  // Response rejects an empty body for 204
  return new Response(xhr.responseText || null, { status: xhr.status, headers })
}
