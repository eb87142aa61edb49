import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { CachedResponse, cacheLazily, sendCached } from './cached-response.ts'
import type { OpenApi } from './docs-page/document.ts'
import { docsPage } from './docs-page/page.ts'

/** Everything is loaded from this server, and no inline script runs. */
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

/** The reference at /docs, generated from the OpenAPI document, with relative URLs for any prefix. */
export function registerDocs(app: FastifyInstance, options: { openapi: () => string }): void {
  for (const [name, type] of assets) {
    const bytes = readFileSync(new URL(`./docs-page/${name}`, import.meta.url))
    const asset = cacheLazily(type, () => bytes)
    app.get(`/docs/${name}`, (request, reply) => sendCached(request, reply, asset(), { contentSecurityPolicy }))
  }
  for (const [path, base] of [
    ['/docs', ''],
    ['/docs/', '../'],
  ] as const) {
    const page = cachedPage(options.openapi, base)
    app.get(path, (request, reply) => sendCached(request, reply, page(), { contentSecurityPolicy }))
  }
}

/** Created at the first request to keep the start fast, and again when the document has changed. */
function cachedPage(openapi: () => string, base: '' | '../'): () => CachedResponse {
  let created: { from: string; page: CachedResponse } | undefined
  return () => {
    const from = openapi()
    if (created?.from !== from) {
      const page = docsPage(JSON.parse(from) as OpenApi, base)
      created = { from, page: new CachedResponse('text/html; charset=utf-8', Buffer.from(page)) }
    }
    return created.page
  }
}
