import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { FastifyInstance } from 'fastify'
import { CachedResponse, cacheLazily, sendCached } from './cached-response.ts'

/** Everything is loaded from this server, no inline script runs, and only these inline styles. The page may create images. */
const policy = (styleHashes: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleHashes.map((hash) => `'sha256-${hash}'`)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const styleHashesOf = (html: string): string[] =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) =>
    createHash('sha256').update(style).digest('base64'),
  )

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The names of built files change with their content. */
const year = 'public, max-age=31536000, immutable'

/** The built console at the root, with relative URLs for any prefix. False when it is not built. */
export function registerConsole(app: FastifyInstance, folder: string, { timezone }: { timezone: string }): boolean {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return false
  const html = readFileSync(index, 'utf8').replace(
    'name="wharf-timezone" content=""',
    `name="wharf-timezone" content="${timezone}"`,
  )
  const pagePolicy = policy(styleHashesOf(html))
  const page = new CachedResponse('text/html; charset=utf-8', Buffer.from(html))
  app.get('/', (request, reply) => {
    const path = request.originalUrl.split('?', 1)[0] ?? '/'
    // relative URLs need the slash
    if (!path.endsWith('/')) return reply.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`, 302)
    return sendCached(request, reply, page, { contentSecurityPolicy: pagePolicy })
  })
  const fileOf = (name: string): (() => CachedResponse) =>
    cacheLazily(types[extname(name)] ?? 'application/octet-stream', () => readFileSync(join(folder, name)))
  const contentSecurityPolicy = policy()
  for (const name of filesIn(folder, false).filter((name) => name !== 'index.html')) {
    const file = fileOf(name)
    app.get(`/${name}`, (request, reply) => sendCached(request, reply, file(), { contentSecurityPolicy }))
  }
  // one route: each of hundreds would take its time at every start
  const assets = new Map(filesIn(join(folder, 'assets'), true).map((name) => [name, fileOf(`assets/${name}`)]))
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const asset = assets.get(request.params['*'])
    if (asset === undefined)
      throw new ApiError(
        'SYS.1003',
        `the console has no file ${request.params['*']}; reload the page, which may be of an earlier version`,
      )
    return sendCached(request, reply, asset(), { contentSecurityPolicy, cacheControl: year })
  })
  return true
}

/** Not a glob, which takes a tenth of a start to load. */
const filesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { encoding: 'utf8', recursive }).filter((name) => extname(name) !== '')
