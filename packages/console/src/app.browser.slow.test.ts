import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { reverseCleanup, SharedPage, signedIn, startConsole, TestBrowser, testLong } from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const browser = await TestBrowser.start(cleanup)
const appearance = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
const shared = await SharedPage.signIn(cleanup, browser, server)

/** Enough accounts for a second page. */
for (let number = 10; number < 40; number++)
  await server.admin.post('/v1/accounts', { params: { name: `team-${number}`, password: 'a long password' } })

test('a page focuses its heading, sets the title, and its breadcrumbs open the list', async (t) => {
  const page = await shared.open(t, 'jobs')
  await page.getByRole('heading', { name: /^Jobs/, level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('h1:focus', { hasText: 'Jobs' }).waitFor()
  await page.getByRole('link', { name: 'Hosts', exact: true }).click()
  await page.locator('h1:focus', { hasText: 'Hosts' }).waitFor()
  assert.equal(await page.title(), 'Hosts · Wharf')
  await page.getByRole('link', { name: 'this-node' }).click()
  await page.locator('h1:focus', { hasText: 'this-node' }).waitFor()
  await page.waitForFunction(() => document.title === 'this-node · Hosts · Wharf')
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await breadcrumbs.getByRole('link', { name: 'Hosts' }).click()
  await page.locator('h1:focus', { hasText: 'Hosts' }).waitFor()
  // the heading of a wizard is its step
  await page.goto(`${server.url}/#/clusters/add`)
  await page.getByRole('heading', { name: 'Component', level: 1 }).waitFor()
  await page.waitForFunction(() => document.title === 'Add a cluster · Clusters · Wharf')
})

test('a failed query is an error, not an empty list', async (t) => {
  const page = await shared.open(t, 'accounts', [/status of 403/])
  const error = { code: 'ID.1002', description: 'Permission denied', details: 'not for you (request abc)' }
  const refused = { status: 403, json: { success: false, error }, headers: { 'x-request-id': 'abc' } }
  await page.route(/\/v1\/zwatch\/third-party\/alerts/, (route) => route.fulfill(refused))
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  const alert = page.getByRole('alert').first()
  await alert.getByText('ID.1002 · Permission denied').waitFor()
  // the request id is shown once, outside the details
  assert.equal((await alert.textContent())?.split('abc').length, 2)
  assert.equal(await page.getByText('No alerts.').count(), 0)
})

test('a filter is part of the URL, and back restores the list', async (t) => {
  const page = await shared.open(t, 'accounts')
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('team-39').waitFor()
  const cells = page.locator('tbody a')
  await cells.evaluateAll((links) => {
    for (const one of links) one.setAttribute('data-first-page', '')
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await link('team-10').waitFor()
  assert.match(page.url(), /page=2/)
  // the rows are reused, but what is in them belongs to a record
  assert.equal(await page.locator('[data-first-page]').count(), 0)
  const filter = page.getByRole('combobox', { name: 'Filter by field or text' })
  await filter.fill('Name')
  await page.getByRole('option', { name: 'Name : Contains' }).click()
  await filter.pressSequentially('2')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Accounts (12)', level: 1 }).waitFor()
  await link('team-12').waitFor()
  assert.equal(await page.getByRole('link', { name: 'team-13', exact: true }).count(), 0)
  const address = page.url()
  assert.match(decodeURIComponent(address), /q=name~=%2%/)
  await page.goBack()
  await link('team-10').waitFor()
  await page.goto(address)
  await page.getByRole('heading', { name: 'Accounts (12)', level: 1 }).waitFor()
  // a page number beyond the end shows the last page
  await page.goto(`${server.url}/#/accounts?page=9`)
  await page.getByRole('link', { name: 'admin', exact: true }).waitFor()
  assert.match(page.url(), /page=2/)
})

test('the help explains the codes of the page, and any text', async (t) => {
  const page = await shared.open(t, 'backup-storage')
  await page.getByRole('button', { name: 'Help' }).click()
  const help = page.getByRole('complementary', { name: 'Help' })
  await help.getByRole('heading', { name: 'BS.1003' }).waitFor()
  const codes = await help.locator('h3').allTextContents()
  assert.deepEqual(codes, [...new Set(codes)])
  assert.doesNotMatch((await help.textContent()) ?? '', /\{\w+\}/)
  await help.getByRole('searchbox').fill('ssh: connect to host 10.0.0.7 port 22: Connection refused')
  await help.getByRole('heading', { name: /^HOST\.\d+$/ }).waitFor()
  await help.getByRole('link', { name: 'The console – Backup storage' }).click()
  const heading = page.getByRole('heading', { name: 'Backup storage', level: 2 })
  await heading.waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'backup-storage')
})

testLong('a page that failed to load is loaded when the server responds', async (t) => {
  const page = await shared.open(t, 'accounts', [/ERR_FAILED/, /PageLoadError/])
  await page.route(/assets\/Explain/, (route) => route.abort())
  await page.getByRole('link', { name: 'Explain', exact: true }).click()
  await page.getByRole('alert').getByText('This page could not be loaded').waitFor()
  await page.unroute(/assets\/Explain/)
  await page.getByRole('heading', { name: 'Explain', level: 1 }).waitFor()
})

test('a session that ends elsewhere requires the password over the page, and the page continues', async (t) => {
  const own = await signedIn(server)
  const page = await browser.open(t, `${server.url}/#/hosts/add`, {
    storage: { ...appearance, ...own },
    expected: [/status of 401/],
  })
  await page.getByLabel('Name').fill('typed before')
  const { uuid } = JSON.parse(own['wharf.session'] ?? '') as { uuid: string }
  assert.equal((await server.admin.delete(`/v1/accounts/sessions/${uuid}`)).status, 200)
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  const password = dialog.getByLabel('Password of admin')
  await password.fill('wrong')
  await page.keyboard.press('Enter')
  await dialog
    .getByRole('alert')
    .getByText(/^ID\.100\d · /)
    .waitFor()
  await password.fill(server.bootstrap.password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Name').inputValue(), 'typed before')

  // leaving needs a confirmation; the calls of the next page use the new session
  const leaving = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await leaving.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'typed before')
  assert.match(page.url(), /#\/hosts\/add$/)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await leaving.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Jobs (0)', level: 1 }).waitFor()
})

testLong('the input of a form and of a dialog survives a reload, without its secrets', async (t) => {
  const page = await shared.open(t, 'backup-storage?add=1')
  page.on('dialog', (prompt) => void prompt.accept())
  const dialog = page.getByRole('dialog', { name: 'Add backup storage' })
  await dialog.getByRole('radio', { name: /S3/ }).check()
  await dialog.getByLabel('Name').fill('archive')
  await dialog.getByLabel('Secret access key').fill('hunter2')
  await page.reload()
  await dialog.getByText('Draft restored').waitFor()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'archive')
  assert.equal(await dialog.getByLabel('Secret access key').inputValue(), '')
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /hunter2/)
  await dialog.getByRole('button', { name: 'Discard draft' }).click()
  assert.equal(await dialog.getByLabel('Name').inputValue(), '')
  // nothing is typed, so the dialog closes without a question
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})
