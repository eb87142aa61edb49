import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Served = Buffer | ((response: ServerResponse) => void)

/** A web server on loopback that packages are fetched from. */
export class PackageSource {
  readonly #served = new Map<string, Served>()
  readonly #url: string
  /** The path of every request. */
  readonly requestedPaths: string[] = []

  private constructor(url: string) {
    this.#url = url
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<PackageSource> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname)
      source.requestedPaths.push(path)
      const served = source.#served.get(path)
      if (served === undefined) response.writeHead(404).end('nothing here')
      else if (Buffer.isBuffer(served)) response.writeHead(200, { 'content-length': served.length }).end(served)
      else served(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const source = new PackageSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    t.after(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    return source
  }

  /** Serves these bytes, or what this handler answers; returns the URL. */
  serve(name: string, served: Served): string {
    this.#served.set(`/${name}`, served)
    return `${this.#url}/${name}`
  }
}
