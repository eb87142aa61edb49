import { Agent as HttpAgent, type IncomingMessage, request as openHttp } from 'node:http'
import { Agent as HttpsAgent, request as openHttps } from 'node:https'
import { text } from 'node:stream/consumers'

interface Call {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface CallResponse {
  readonly status: number
  readonly contentType: string | undefined
  readonly headers: Headers
  readonly text: string
}

const http = { open: openHttp, agent: new HttpAgent({ keepAlive: true }) }
const https = { open: openHttps, agent: new HttpsAgent({ keepAlive: true }) }

/** With node:http, which takes less than half of the CPU time of fetch. */
export async function sendCall(url: string, { method, headers, body }: Call): Promise<CallResponse> {
  const { open, agent } = url.startsWith('https:') ? https : http
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    open(url, { method, agent, headers: { accept: '*/*', 'user-agent': 'node', ...length, ...headers } })
      .once('response', resolve)
      .on('error', reject)
      .end(body),
  )
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'],
    text: await text(response),
    // most tests read none
    get headers() {
      return headersOf(response)
    },
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}
