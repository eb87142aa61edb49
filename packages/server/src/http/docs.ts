import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenApi } from './docs-page/document.ts'
import { docsPage } from './docs-page/page.ts'

/** A text made ready to be sent many times. */
interface Prepared {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly etag: string
}

/** Everything comes from this server, and nothing that stands in the page itself runs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const assets = [
  ['docs.css', 'text/css; charset=utf-8'],
  ['docs.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
] as const

/** The reference at /docs, made from the OpenAPI document. All addresses in it are relative, so any prefix will do. */
export function registerDocs(app: FastifyInstance, options: { openapi: () => string }): void {
  for (const [name, type] of assets) {
    const asset = prepare(type, readFileSync(new URL(`./docs-page/${name}`, import.meta.url)))
    app.get(`/docs/${name}`, (request, reply) => send(request, reply, asset))
  }
  for (const [path, base] of [
    ['/docs', ''],
    ['/docs/', '../'],
  ] as const) {
    const page = preparedPage(options.openapi, base)
    app.get(path, (request, reply) => send(request, reply, page()))
  }
}

/** Made at the first request, so that the start does not wait for it, and again when the document has changed. */
function preparedPage(openapi: () => string, base: '' | '../'): () => Prepared {
  let made: { from: string; page: Prepared } | undefined
  return () => {
    const from = openapi()
    if (made?.from !== from) {
      const page = docsPage(JSON.parse(from) as OpenApi, base)
      made = { from, page: prepare('text/html; charset=utf-8', Buffer.from(page)) }
    }
    return made.page
  }
}

const prepare = (type: string, plain: Buffer): Prepared => ({
  type,
  plain,
  gzip: gzipSync(plain, { level: 9 }),
  etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
})

function send(request: FastifyRequest, reply: FastifyReply, { type, plain, gzip, etag }: Prepared): FastifyReply {
  reply.headers({
    etag,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(type)
  const packed = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding'] ?? ''))
  return packed ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(plain)
}
