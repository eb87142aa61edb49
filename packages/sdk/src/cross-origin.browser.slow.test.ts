import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipped, installable, PackageFixture, TestBrowser } from '@wharf/testkit'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const modules = {
  '@wharf/sdk': '/packages/sdk/src/index.ts',
  '@wharf/contract': '/packages/contract/src/index.ts',
  '#file-source': '/packages/sdk/src/upload/no-file-source.ts',
  '#send-request': '/packages/sdk/src/http/fetch-request.ts',
  typebox: '/node_modules/typebox/build/index.mjs',
}
const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports: modules })}</script>`

const types: Record<string, string> = {
  '.ts': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
}

/** Serves the sources with types stripped. */
const site = createServer((request, response) => {
  const path = request.url ?? '/'
  if (path === '/') return void response.setHeader('content-type', 'text/html').end(page)
  const type = types[extname(path)]
  if (type === undefined) return void response.writeHead(404).end()
  const source = readFileSync(join(root, path), 'utf8')
  response.setHeader('content-type', type).end(path.endsWith('.ts') ? stripTypeScriptTypes(source) : source)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
after(() => site.close())
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
const fixture = await PackageFixture.start({ after }, { environment: { WHARF_CORS_ORIGINS: origin } })
const browser = await TestBrowser.start({ after })

test('a page of another origin signs with a wrong clock, queries, uploads and waits', async (t) => {
  const { accessKeyId, accessKeySecret, hostUuid } = fixture.server.bootstrap
  const bytes = gzipped(installable({ more: [{ name: 'blob', data: Buffer.alloc(20_000_000, 'wharf') }] }))
  // the server refuses the first call and returns its time
  const expected = [/^request to another origin: http:\/\/127\.0\.0\.1:/, /status of 401/]
  const tab = await browser.open(t, origin, { expected })
  const sent: Record<string, string>[] = []
  tab.on('request', (request) => {
    if (request.url().startsWith(fixture.server.url)) sent.push(request.headers())
  })
  const done = await tab.evaluate(
    // runs in the page: only the arguments are available
    async ({ url, id, secret, hostUuid, installPath, base64 }) => {
      const name = '@wharf/sdk'
      const { Wharf } = (await import(name)) as typeof import('./index.ts')
      const clock = { now: () => Date.now() + 3_600_000 }
      const wharf = new Wharf({ url, accessKey: { id, secret }, clock })
      const hosts: string[] = []
      for await (const host of wharf.hosts.all()) hosts.push(host.name)
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      const file = new File([bytes], 'page.tar.gz', { lastModified: 1 })
      const phases = new Set<string>()
      const upload = wharf.upload(file, {
        hostUuid,
        type: 'demo',
        installPath,
        sliceBytes: 10_000,
        onProgress: ({ phase }) => phases.add(phase),
      })
      upload.pause()
      setTimeout(() => upload.resume(), 50)
      const { uuid, status, md5sum } = await upload.done
      const lines: string[] = []
      await wharf.softwarePackages.install(uuid, { config: '{}' }, { onLog: (line) => lines.push(line) })
      const changes = wharf.events({ lastEventId: '0' })
      const first = await changes.next()
      await changes.return(undefined)
      const refusal = await wharf.upload('/etc/passwd', { hostUuid, type: 'demo', installPath }).done.catch(String)
      return { hosts, phases: [...phases], status, md5sum, lines, first: first.value?.type, refusal }
    },
    {
      url: fixture.server.url,
      id: accessKeyId,
      secret: accessKeySecret,
      hostUuid,
      installPath: join(fixture.folder, 'page.tar.gz'),
      base64: bytes.toString('base64'),
    },
  )
  const { lines, first, refusal, ...rest } = done
  assert.deepEqual(rest, {
    hosts: ['this-node'],
    phases: ['sending', 'processing'],
    status: 'Uploaded',
    md5sum: hash('md5', bytes, 'hex'),
  })
  assert.ok(lines.length > 0)
  assert.ok(first)
  assert.match(String(refusal), /a browser cannot open a path/)
  const signed = sent.filter(({ signature }) => signature !== undefined)
  assert.ok(signed.length > 5)
})
