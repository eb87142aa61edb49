import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What becomes of a request: its own answer, another one, or 'lost' when the answer to it never arrives. */
type Alter = (method: string, path: string) => Response | 'lost' | undefined

/** In front of a server, for tests of what goes wrong in between; its address, with the prefix of the API. */
export async function alteringServer(
  t: { after(work: () => Promise<void>): void },
  behind: string,
  alter: Alter,
): Promise<string> {
  const { origin, pathname } = new URL(behind)
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const sent = await buffer(request)
    const altered = alter(method, url)
    const { connection: _, host: __, 'transfer-encoding': ___, 'content-length': ____, ...headers } = request.headers
    const forwarded = async (): Promise<Response> =>
      fetch(origin + url, {
        method,
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
      })
    const answer = altered instanceof Response ? altered : await forwarded()
    const body = Buffer.from(await answer.arrayBuffer())
    if (altered === 'lost') return void response.destroy()
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...told } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, told).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
}
