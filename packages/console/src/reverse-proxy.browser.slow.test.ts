import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installable, reverseCleanup, startConsole, TestBrowser } from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const browser = await TestBrowser.start(cleanup)
const prefix = '/tools/wharf'

/** A reverse proxy with default settings: it strips the prefix, sets the Host, and adds no headers about the caller. */
const proxy = createServer((incoming, outgoing) => {
  const path = incoming.url ?? '/'
  // a request outside the prefix fails, which the browser logs, which fails the test
  if (!path.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end()
  const { host: _, ...headers } = incoming.headers
  const target = new URL(server.url)
  const forwarded = request(
    {
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: path.slice(prefix.length),
      headers,
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  outgoing.on('close', () => forwarded.destroy())
  forwarded.on('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
cleanup.after(async () => {
  proxy.closeAllConnections()
  proxy.close()
})
const outside = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}/`

test('behind a proxy and under its prefix: signing in, events, an upload and the reference', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-proxy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const archive = join(folder, 'hello-1.0.0.tar')
  writeFileSync(archive, installable({ type: 'hello' }))

  const storage = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
  const page = await browser.open(t, outside, { storage })
  await page.getByLabel('Password').fill(server.bootstrap.password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('cell', { name: 'admin' }).first().waitFor()

  // without any interaction: an event reports the change
  const { status } = await server.admin.post('/v1/accounts', { params: { name: 'developers', password: 'p' } })
  assert.equal(status, 200)
  await page.getByRole('link', { name: 'developers' }).waitFor()

  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await page.getByRole('button', { name: 'Upload' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(archive)
  await dialog.getByRole('button', { name: /^Destination/ }).click()
  await page.getByRole('option', { name: /this-node/ }).click()
  await dialog.getByLabel('Folder').fill(`${folder}/packages`)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('link', { name: /is uploaded and ready to install/ }).waitFor()

  const [reference] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'API reference' }).click(),
  ])
  assert.ok(reference.url().startsWith(`${outside}docs`), reference.url())
  await reference.getByText('UploadSoftwarePackage').first().waitFor()
})
