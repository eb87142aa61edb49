import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  freePort,
  IdentityProvider,
  installable,
  oidcFile,
  reverseCleanup,
  startConsole,
  TestBrowser,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const prefix = '/tools/wharf'
const port = await freePort('127.0.0.1')
const outside = `http://127.0.0.1:${port}${prefix}/`
const provider = await IdentityProvider.start(cleanup, {
  id: 'corp',
  wharfUrls: [`http://127.0.0.1:${port}${prefix}`],
  users: { alice: ['ops'], eve: ['guests'] },
})
const rules = [{ claim: 'groups', value: 'ops', role: 'operator', account: 'admin' }]
const file = oidcFile(cleanup, [{ id: 'corp', issuer: provider.issuer, rules }])
const server = await startConsole(cleanup, { environment: { WHARF_OIDC_FILE: file } })
const browser = await TestBrowser.start(cleanup)

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
}).listen(port, '127.0.0.1')
await once(proxy, 'listening')
cleanup.after(async () => {
  proxy.closeAllConnections()
  proxy.close()
})

test('behind a proxy and under its prefix: signing in, events, an upload and the reference', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-proxy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const archive = join(folder, 'hello-1.0.0.tar')
  writeFileSync(archive, installable({ type: 'hello' }))

  const storage = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
  const page = await browser.open(t, outside, { storage })
  await page.getByLabel('Password').fill(server.bootstrap.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('cell', { name: 'admin' }).first().waitFor()

  // without any interaction: an event reports the change
  const { status } = await server.admin.post('/v1/accounts', {
    params: { name: 'developers', password: 'a long password' },
  })
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

  const reference = page.getByRole('link', { name: 'API reference' })
  const address = await reference.evaluate((link) => (link as HTMLAnchorElement).href)
  assert.equal(address, `${outside}docs`)
  assert.equal((await fetch(address)).status, 200)
})

test('behind a proxy: signing in with the button of an identity provider, and back to the page that was opened', async (t) => {
  const storage = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
  const page = await browser.open(t, `${outside}#/hosts`, {
    storage,
    // 401: the explanation of an error needs a session
    expected: [/status of 40[13]/, /another origin: http:\/\/127\.0\.0\.1:\d+\/(auth|interaction)/],
  })
  const signInAs = async (user: string): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in with corp' }).click()
    await page.getByRole('button', { name: user }).click()
  }
  await signInAs('eve')
  await page
    .getByRole('alert')
    .getByText(/no rule grants eve access/)
    .waitFor()
  // the provider would remember eve
  await page.context().clearCookies()
  await signInAs('alice')
  await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).hash, '#/hosts')
  await page.getByRole('button', { name: 'alice' }).waitFor()
  await page.goto(`${outside}#/account`)
  await page.getByRole('cell', { name: 'Identity provider' }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Change password' }).count(), 0)
})
