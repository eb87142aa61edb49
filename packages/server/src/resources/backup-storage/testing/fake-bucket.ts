import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A bucket in memory, as far as a storage needs one; it verifies signatures. */
export class FakeBucket {
  readonly objects = new Map<string, Buffer>()
  /** By the id of the access key. */
  readonly secrets = new Map<string, string>()

  /** Returns its port. */
  async start(t: { after(work: () => Promise<void>): void }): Promise<number> {
    const listener = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error))
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    t.after(async () => {
      listener.closeAllConnections()
      listener.close()
    })
    return (listener.address() as AddressInfo).port
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    const bytes = await buffer(request)
    const refuse = (status: number, code: string): void =>
      void response.writeHead(status).end(method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`)
    if (!this.#isSigned(request, pathname, searchParams)) return refuse(403, 'SignatureDoesNotMatch')
    if (searchParams.has('uploads')) return void response.end('<ListMultipartUploadsResult/>')
    if (method === 'PUT' && headers['if-none-match'] && this.objects.has(pathname)) return refuse(412, 'Exists')
    if (method === 'PUT') this.objects.set(pathname, bytes)
    if (method === 'DELETE') this.objects.delete(pathname)
    const isBucket = pathname.split('/').filter(Boolean).length === 1
    if (['GET', 'HEAD'].includes(method ?? '') && !isBucket && !this.objects.has(pathname))
      return refuse(404, 'NoSuchKey')
    response.end(method === 'GET' ? this.objects.get(pathname) : '')
  }

  /** Signature version 4. */
  #isSigned({ method, headers }: IncomingMessage, path: string, query: URLSearchParams): boolean {
    const authorization = /Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)/.exec(
      headers.authorization ?? '',
    )
    const [, id = '', scope = '', names = '', signature] = authorization ?? []
    const secret = this.secrets.get(id)
    if (secret === undefined) return false
    const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
    query.sort()
    const fields = [method, path, query, signed.join(''), names, headers['x-amz-content-sha256']]
    const digest = createHash('sha256').update(fields.join('\n')).digest('hex')
    const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n')
    const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`)
    return hmac(key, toSign).toString('hex') === signature
  }
}

const hmac = (key: string | Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest()
