import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A replacement response, 'lost' to drop the response, or undefined to forward the request. */
type Intercept = (method: string, path: string) => Response | 'lost' | undefined

/** A proxy that replaces or drops responses; returns its address with the API prefix. */
export async function interceptingServer(
  t: { after(work: () => Promise<void>): void },
  backend: string,
  intercept: Intercept,
): Promise<string> {
  const { origin, pathname } = new URL(backend)
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const sent = await buffer(request)
    const replacement = intercept(method, url)
    const { connection: _, host: __, 'transfer-encoding': ___, 'content-length': ____, ...headers } = request.headers
    const forwarded = async (): Promise<Response> =>
      fetch(origin + url, {
        method,
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
      })
    const answer = replacement instanceof Response ? replacement : await forwarded()
    const body = Buffer.from(await answer.arrayBuffer())
    if (replacement === 'lost') return void response.destroy()
    const {
      'content-length': _length,
      'transfer-encoding': _encoding,
      ...responseHeaders
    } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, responseHeaders).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
}
