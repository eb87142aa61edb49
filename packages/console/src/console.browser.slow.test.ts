import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  AlertPlatformFixture,
  alertmanagerBody,
  bootableDisk,
  ChatReceiver,
  installable,
  KeyboardDriver,
  migratePackage,
  PackageSource,
  packageFolder,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
  testLong,
  totpCode,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const receiver = await ChatReceiver.start(cleanup)
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const appearance = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
const shared = await SharedPage.signIn(cleanup, browser, server)

/** The server runs in this process, so nothing may block it. */
const inShell = async (line: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', line], { timeout: 20_000 })).stdout

test('a reader sees why a button or a form is disabled, changes the own password with the current one, and chooses UTC', async (t) => {
  const own = { name: 'inside', password: 'the first password' }
  const created = await server.admin.post('/v1/users', { params: own })
  assert.equal(created.status, 200, created.text)
  const logInByUser = { accountName: 'admin', userName: 'inside', password: 'the first password' }
  const { inventory } = (await server.anonymous.put('/v1/accounts/users/login', { logInByUser })).body
  const { uuid, userUuid } = inventory as Record<string, string>
  const login = { accountName: 'admin', userName: 'inside' }
  const session = JSON.stringify({ uuid, userUuid, userName: 'inside', login })
  const page = await browser.open(t, `${server.url}/#/chat`, {
    storage: { ...appearance, 'wharf.session': session },
    expected: [/status of 403/],
  })
  const add = page.getByRole('button', { name: 'Add endpoint' }).first()
  await page.locator('button[aria-disabled=true]', { hasText: 'Add endpoint' }).first().waitFor()
  await add.hover()
  await page
    .getByText('You are signed in as reader; this action needs the role admin.')
    .filter({ visible: true })
    .waitFor()
  for (const place of ['hosts/add', 'hosts/candidates', 'clusters/add', 'packages?upload=1']) {
    await page.goto(`${server.url}/#/${place}`)
    await page.locator('main h1').first().waitFor()
    // no enabled button calls an operation that the role may not call
    await page
      .getByText(/^You are signed in as reader/)
      .first()
      .waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('alert').count(), 0, place)
  }

  await page.goto(`${server.url}/#/account`)
  await page.getByText('reader – Read-only access').waitFor()
  await page.getByLabel('UTC').check()
  await page.getByText(/^Now: .* UTC$/).waitFor()
  const change = async (oldPassword: string): Promise<void> => {
    await page.getByLabel('Current password').fill(oldPassword)
    await page.getByLabel('New password').fill('the second password')
    await page.getByLabel('Confirm password').fill('the second password')
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('guess')
  await page.getByText(/^ID\.1002 · /).waitFor()
  await change('the first password')
  await page.getByText('Password changed. Your other sessions have ended.').waitFor()
  const again = { ...logInByUser, password: 'the second password' }
  assert.equal((await server.anonymous.put('/v1/accounts/users/login', { logInByUser: again })).status, 200)
})

test('a user confirms a device with a lower role, and ends the other sessions', async (t) => {
  const device = await fetch(`${server.url}/v1/oauth/device-authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'wharf', client_name: 'laptop', scope: 'reader' }),
  })
  const { user_code: userCode, device_code } = (await device.json()) as Record<string, string>
  const page = await shared.open(t, 'account/device')
  await page.getByLabel('Code').fill(userCode?.toLowerCase() ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('laptop', { exact: true }).waitFor()
  assert.ok(await page.getByLabel('reader').isChecked())
  await page.getByLabel('operator').check()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByText(/^The device is signed in\./).waitFor()
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const redeemed = await fetch(`${server.url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'wharf', grant_type, device_code: device_code ?? '' }),
  })
  assert.equal(((await redeemed.json()) as Record<string, string>).scope, 'operator')

  const other = await server.logIn('admin', server.bootstrap.password)
  await page.goto(`${server.url}/#/account`)
  const sessions = page.getByRole('table', { name: 'My sessions' })
  await sessions.getByText('(this session)').waitFor()
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await sessions.getByRole('row').nth(2).waitFor({ state: 'detached' })
  assert.equal((await other.get('/v1/tags')).status, 401)
})

test('an authenticator app and a passkey are added, prove sign-ins, and are removed', async (t) => {
  const own = { name: 'guarded', password: 'password of guarded' }
  assert.equal((await server.admin.post('/v1/accounts', { params: own })).status, 200)
  // passkeys need a name instead of an address
  const page = await browser.open(t, `${server.url.replace('127.0.0.1', 'localhost')}/#/account`, {
    storage: appearance,
    expected: [/status of 40[01]/],
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
  })
  const dialog = page.getByRole('dialog')
  const enter = async (label: string, text: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  const signInWithPassword = async (): Promise<void> => {
    await page.getByLabel('Account', { exact: true }).fill(own.name)
    await enter('Password', own.password)
  }
  await signInWithPassword()

  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await dialog.getByLabel('Current password').fill(own.password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByAltText('QR code for an authenticator app').waitFor()
  const secret = (await dialog.locator('.secret').textContent()) ?? ''
  await dialog.getByLabel('Code that the app shows').fill('000000')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('confirmAuthenticator.code is not the current code').waitFor()
  await dialog.getByLabel('Code that the app shows').fill(totpCode(secret))
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'Recovery codes' })
  const codes = ((await shown.locator('.secret').textContent()) ?? '').split('\n')
  assert.equal(codes.length, 10)
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText('10 left').waitFor()

  await page.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Name').fill('laptop')
  await dialog.getByLabel('Current password').fill(own.password)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const row = page.getByRole('row', { name: /laptop/ })
  await row.getByText('Never').waitFor()

  await page.getByRole('button', { name: 'guarded', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signInWithPassword()
  await enter('Code or recovery code', 'aaaa-aaaa-aaaa-aaaa')
  await page.getByText(/^ID\.1000 · /).waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await row.waitFor()
  assert.equal(await row.getByText('Never').count(), 0)

  await page.getByRole('button', { name: 'Remove the passkey laptop' }).click()
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('No passkeys yet.').waitFor()
  await page.getByRole('button', { name: 'Remove authenticator app' }).click()
  await dialog.getByLabel('Code or recovery code').fill(codes[0] ?? '')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('0 left').waitFor()
})

test('a key is created by keyboard, downloaded, and signs a request that the server accepts', async (t) => {
  const page = await shared.open(t, 'access-keys')
  const keyboard = new KeyboardDriver(page)
  await keyboard.skipToContent()
  await keyboard.press(page.getByRole('button', { name: 'Create access key' }).first(), 'Space')
  const dialog = page.getByRole('dialog')
  await keyboard.write(dialog.getByLabel(/^Description/), 'for the test')
  await keyboard.press(dialog.getByRole('button', { name: 'Create access key' }), 'Space')
  await page.getByText('The secret is shown only once.').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const kept = readFileSync(await file.path(), 'utf8')
  const [, id = '', secret = ''] = /^AccessKeyID=(\S+)\nAccessKeySecret=(\S+)\n$/.exec(kept) ?? []
  assert.equal(id.length, 20)
  assert.ok(await page.getByText(secret, { exact: true }).isVisible())

  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await keyboard.press(page.getByRole('button', { name: 'Sign a request with it' }))
  await page.getByRole('heading', { name: '3. Command' }).waitFor()
  const curl = page.locator('pre', { hasText: 'curl -X GET' })
  await curl.waitFor()
  const answer = await inShell(`${await curl.textContent()} --silent`)
  assert.equal(JSON.parse(answer).success, true, answer)
  await page.getByLabel('Scheme', { exact: true }).click()
  await page.getByRole('option', { name: 'Service: method, date and path' }).click()
  await page.locator('pre', { hasText: 'Authorization: Service' }).waitFor()
  const older = await inShell(`${await curl.textContent()} --silent`)
  assert.equal(JSON.parse(older).success, true, older)
  assert.ok(!sent.join('\n').includes(secret), 'the secret was sent')
  assert.ok(!page.url().includes(secret))

  // a rotated key has another secret
  await page.getByRole('tab', { name: 'Access keys' }).click()
  await page.getByRole('row', { name: id }).getByRole('button', { name: 'Rotate' }).click()
  await page.getByLabel('Overlap in hours').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByText('The secret is shown only once.').waitFor()
  assert.ok(!(await page.getByText(secret, { exact: true }).isVisible()))
  await page.getByRole('button', { name: 'I have saved it' }).click()

  // the server rejects the disabled key
  await page.getByRole('tab', { name: 'Access keys' }).click()
  await page.getByRole('row', { name: id }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  const confirmation = page.getByRole('dialog')
  await confirmation.getByRole('button', { name: 'Disable (1)' }).click()
  await confirmation.getByText('Succeeded', { exact: true }).waitFor()
  await confirmation.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('row', { name: id }).getByText('Disabled').waitFor()
  const refused = await inShell(`${await signed()} --silent`)
  assert.match(refused, /"code":"ID\.1000"/)

  async function signed(): Promise<string> {
    await page.getByRole('tab', { name: 'Sign a request' }).click()
    await page.getByRole('textbox', { name: 'Key ID' }).fill(id)
    await page.getByLabel('Secret').fill(secret)
    return (await curl.textContent()) ?? ''
  }
})

testLong('an alert platform is created without a cluster; its webhook URL and token are shown once', async (t) => {
  const page = await shared.open(t, 'alerts/platforms', [/status of 400/])
  await page.getByRole('button', { name: 'Create alert platform' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('plain')
  await form.getByLabel(/^Message template/).fill('{% if %}')
  await form.getByRole('button', { name: 'Create alert platform' }).click()
  await form.getByText(/template cannot be used/).waitFor()
  await form.getByLabel(/^Message template/).fill('{{ alert.name }}')
  await form.getByRole('button', { name: 'Create alert platform' }).click()
  const config = (await page.locator('.secret', { hasText: 'receivers:' }).textContent()) ?? ''
  const [, url = ''] = /url: "(.*)"/.exec(config) ?? []
  const [, token] = /credentials: "(.*)"/.exec(config) ?? []
  await page.getByText('WHARF_PUBLIC_URL').waitFor()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(alertmanagerBody({ name: 'PlainAlert' })),
  })
  assert.equal(answer.status, 200)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: 'plain', exact: true }).click()
  await page.getByRole('heading', { name: 'plain', level: 1 }).waitFor()
  assert.equal(await page.getByText(token ?? '').count(), 0)
  await page.getByRole('link', { name: 'Show alerts' }).click()
  await page.getByRole('link', { name: 'PlainAlert' }).waitFor()
})

testLong('a running component is taken over, and the page shows the settings for its Alertmanager', async (t) => {
  const component = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  t.after(() => void component.close())
  await once(component, 'listening')
  const page = await shared.open(t, 'clusters/add')
  await page.getByText('Running cluster', { exact: true }).click()
  await page.getByLabel('Name').fill('foreign')
  await page.getByLabel('Management address').fill('999.1.1.1')
  await page.getByText('999.1.1.1 is neither an IP address nor a host name').waitFor()
  await page.getByLabel('Management address').fill('127.0.0.1')
  await page.getByLabel('API port').fill(String((component.address() as AddressInfo).port))
  await page.getByLabel('Administrator token').fill('any')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('button', { name: 'Receive alerts' }).click()
  await page.getByText('Configure the Alertmanager of the component manually').waitFor()
  await page.getByRole('button', { name: 'Show token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show token' }).click()
  const shown = page.getByRole('dialog').filter({ hasText: 'Shown only once' })
  await shown.locator('.secret').nth(1).waitFor()
  const [url = '', token = ''] = await shown.locator('.secret').allTextContents()
  const sent = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  assert.notEqual(sent.status, 401)
  await shown.getByRole('button', { name: 'I have saved it' }).click()
})

test('a failed message is resent', async (t) => {
  const { admin } = server
  const fixture = await AlertPlatformFixture.create(server, 'disk alerts')
  const params = {
    type: 'DingTalk',
    name: 'Second',
    url: receiver.webhookUrl('DingTalk', 'given-up', { status: 404 }),
    platformUuids: [fixture.uuid],
  }
  await admin.post('/v1/sns/application-endpoints/chatapp', { params })
  await fixture.send({ name: 'DiskFull' })
  const page = await shared.open(t, 'chat/deliveries?q=status=Failed')
  const row = page.getByRole('row', { name: /DiskFull.*Second/ })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Resend' }).click()
  const confirmation = page.getByRole('dialog')
  await confirmation.getByRole('button', { name: 'Resend (1)' }).click()
  await receiver.waitForMessages('given-up', 1)
  await confirmation.getByText('Succeeded', { exact: true }).waitFor()
  await confirmation.getByRole('button', { name: 'Close' }).last().click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All' }).click()
  await row.getByText('Delivered').waitFor()
})

testLong('the disk usage of a host is shown folder by folder', async (t) => {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const folder = join(packageFolder(cleanup), 'shelf')
  for (const name of ['one', 'two']) {
    const installPath = `${folder}/${name}/${name}.tar`
    const url = source.serve(`${name}.tar`, installable())
    const params = { name, type: 'demo', url, installPath, hostUuid, managementNodeUuid }
    const { status, text } = await server.admin.post('/v1/software-packages/upload', { params })
    assert.equal(status, 200, text)
  }
  const page = await shared.open(t, `hosts/${hostUuid}`)
  await page.getByRole('textbox', { name: 'Folder' }).fill(folder)
  await page.keyboard.press('Enter')
  await page.getByText(`File system of ${folder}`).waitFor()
  await page.locator('.disk-tile', { hasText: 'two/' }).click()
  await page.getByText(`File system of ${folder}/two`).waitFor()
  assert.match(decodeURIComponent(page.url()), new RegExp(`folder=${folder}/two$`))
  await page.locator('.disk-tile', { hasText: 'two' }).click()
  await page.getByRole('heading', { name: 'two', level: 1 }).waitFor()
})

testLong('the images of a migration can be downloaded from the shown URL', async (t) => {
  const url = source.serve('gateway.tar', migratePackage())
  const { backupStorageUuid } = server.bootstrap
  const params = { name: 'gateway', type: 'Migrate', url, installPath: 'gateway.tar', backupStorageUuid }
  const { status, text } = await server.admin.post('/v1/software-packages/backup-storage/upload', { params })
  assert.equal(status, 200, text)
  const page = await shared.open(t, 'migration')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByText(createHash('md5').update(bootableDisk()).digest('hex')).waitFor()
  await page.getByRole('button', { name: /^Copy the download URL/ }).click()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  assert.ok(bootableDisk().equals(Buffer.from(await (await fetch(address)).arrayBuffer())))
  const make = page.getByRole('button', { name: 'Create gateway' })
  assert.equal(await make.getAttribute('aria-disabled'), 'true')
})

testLong('language and appearance survive a reload', async (t) => {
  // last: the page is shared
  const page = await shared.open(t, 'explain')
  await page.getByRole('heading', { name: 'Explain', level: 1 }).waitFor()
  await page.getByRole('button', { name: /^English/ }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  await page.getByRole('heading', { name: '错误解释', level: 1 }).waitFor()
  await page.getByRole('button', { name: '主题: 浅色' }).click()
  await page.getByRole('menuitem', { name: '深色' }).click()
  await page.reload()
  await page.getByRole('heading', { name: '错误解释', level: 1 }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN')
  assert.match((await page.locator('body').getAttribute('class')) ?? '', /dark/)
})
