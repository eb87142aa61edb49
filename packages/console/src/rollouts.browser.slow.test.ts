import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  accessibilityFaults,
  builtConsole,
  consolePort,
  KeyboardDriver,
  type Page,
  reverseCleanup,
  SharedPage,
  signedIn,
  TestBrowser,
  type TestServerOptions,
  testLong,
} from '@wharf/testkit'
import { Fleet } from '../../server/src/resources/rollouts/testing/fleet.ts'

const cleanup = reverseCleanup({ after })
const options: TestServerOptions & { consoleFolder: string } = {
  consoleFolder: await builtConsole(),
  environment: { WHARF_PORT: await consolePort() },
}
const fixture = await Fleet.start(cleanup, options)
const { server } = fixture
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)

const config = {
  type: 'object',
  required: ['greeting'],
  properties: { greeting: { type: 'string', title: 'Greeting', pattern: '^[a-z0-9-]+$' } },
}
const fleet = await Fleet.create(fixture, 4)
await fleet.publish('1.0.0', { config })
await fleet.publish('1.1.0', { config })
const first = await fleet.create('1.0.0', { config: { greeting: 'before' }, waves: ['100%'] })
await fleet.until(first, 'Succeeded')

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const cell = (page: Page, host: string, state: string) => button(page, `${fleet.software}-${host}: ${state}`)

test('the wizard plans and creates a rollout, which is paused and rolled back on its page', async (t) => {
  fleet.set('web-2', 'hold', 'install-1.1.0')
  await fleet.changeState('web-4', 'disable')
  const page = await shared.open(t, 'rollouts')
  await button(page, 'Create rollout').first().click()

  const next = button(page, 'Next')
  await next.click()
  await page.getByText('Select hosts', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /^Release/ }).click()
  await page.getByRole('option', { name: `${fleet.software} 1.1.0` }).click()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), `${fleet.software} 1.1.0`)
  await page.getByLabel('Label 1', { exact: true }).fill('fleet')
  await page.getByLabel('Value 1', { exact: true }).fill(fleet.software)
  await page.getByText('4 hosts match').first().waitFor()
  await next.click()

  await page.getByLabel('Waves', { exact: true }).fill('1, 100%')
  await page.getByLabel('Hosts at the same time').fill('1')
  await page.getByLabel('Soak time in seconds').fill('-1')
  await next.click()
  await page.getByText('0 to 604,800 seconds (a week)').first().waitFor()
  await page.getByLabel('Soak time in seconds').fill('0')
  await page.getByLabel('Are skipped').check()
  // a template: the schema applies to what it becomes on each host
  await page.getByLabel('Greeting').fill('{{ host.name }}')
  await next.click()

  await page.getByText('1 host has an obstacle').first().waitFor()
  const rows = page.getByRole('row').filter({ hasText: /web-/ })
  assert.match((await rows.nth(0).textContent()) ?? '', /web-4.*disabled/i)
  assert.match((await rows.nth(1).textContent()) ?? '', /web-1.*1.*Upgrade.*1\.0\.0.*1\.1\.0/)
  assert.deepEqual(await accessibilityFaults(page, 'structure'), [])
  await button(page, 'Create rollout').click()

  await page.getByRole('heading', { name: `${fleet.software} 1.1.0`, level: 1 }).waitFor()
  await cell(page, 'web-1', 'Succeeded').waitFor()
  await cell(page, 'web-2', 'Installing').waitFor()
  assert.ok(await button(page, 'Resume').isDisabled())
  await button(page, 'Pause').click()
  await page.getByText('Paused: by an operator').first().waitFor()
  fleet.clear('web-2', 'hold', 'install-1.1.0')
  // without any interaction with the page; what runs finishes, and nothing else starts
  await cell(page, 'web-2', 'Succeeded').waitFor()
  await cell(page, 'web-3', 'Pending').waitFor()
  assert.ok(await button(page, 'Pause').isDisabled())

  const keyboard = new KeyboardDriver(page)
  await keyboard.focus(cell(page, 'web-2', 'Succeeded'))
  await keyboard.keys('ArrowRight', 'Enter')
  await page.getByRole('region', { name: `Host ${fleet.software}-web-3` }).waitFor()
  await page.getByText('No job has started on this host.').waitFor()
  await keyboard.keys('ArrowLeft', 'Enter')
  const panel = page.getByRole('region', { name: `Host ${fleet.software}-web-2` })
  await panel.getByRole('log').waitFor()
  await page.getByRole('grid', { name: /^Wave 2: 1 of 3 hosts succeeded, / }).waitFor()
  await page.evaluate(() => document.body.classList.add('awsui-dark-mode'))
  assert.deepEqual(await accessibilityFaults(page), [])

  await button(page, 'Roll back').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click()
  await cell(page, 'web-1', 'Rolled back').waitFor()
  await cell(page, 'web-2', 'Rolled back').waitFor()
  await page.locator('button:not([aria-disabled="true"])', { hasText: /^Delete$/ }).waitFor()
  assert.ok(await button(page, 'Stop').isDisabled())
  await page.getByText(/^Reason: .+ rolled it back$/).waitFor()
  assert.deepEqual(fleet.versions(), ['1.0.0', '1.0.0', '1.0.0', '1.0.0'])
  assert.match(fleet.installed('web-1') ?? '', /before/)

  await button(page, 'Table').click()
  await page.getByRole('row', { name: new RegExp(`${fleet.software}-web-2.*Rolled back`) }).waitFor()
})

testLong('another user approves, promotes, retries and stops a rollout, and its creator is notified', async (t) => {
  const hostUuids = ['web-1', 'web-2', 'web-3'].map((name) => fleet.hosts.get(name))
  const waves = { waves: ['1', '2', '100%'], promotion: 'manual' }
  fleet.set('web-2', 'fail', 'install-1.1.0')
  const name = `${fleet.software} shared`
  const options = { name, hostUuids, ...waves, requiresApproval: true, config: { greeting: 'hi' } }
  const uuid = await fleet.create('1.1.0', options)
  // with no notification yet
  const own = await browser.open(t, `${server.url}/#/rollouts/${uuid}`, {
    storage: { 'wharf.language': 'en', ...(await signedIn(server)) },
  })
  await own.getByText('Awaiting approval').first().waitFor()
  await own.locator('button[aria-disabled="true"]', { hasText: /^Approve/ }).waitFor()
  await own.goto(`${server.url}/#/hosts`)

  const colleague = { name: 'colleague', password: 'a long password' }
  await server.admin.post('/v1/accounts', { params: { ...colleague, role: 'operator' } })
  const page = await browser.open(t, `${server.url}/#/rollouts/${uuid}`, {
    storage: { 'wharf.language': 'en', ...(await signedIn(server, colleague)) },
  })
  const confirm = (action: string) =>
    page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await button(page, 'Approve').click()
  await confirm('Approve')
  await cell(page, 'web-1', 'Succeeded').waitFor()
  await page.getByText('Paused: waits for promotion').first().waitFor()
  await button(page, 'Promote').click()
  await cell(page, 'web-2', 'Failed').waitFor()
  await page.getByText('1 of 1 hosts of wave 2 failed').first().waitFor()

  await own.getByText(`Rollout ${name} is paused: too many failures`).waitFor()
  await own.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const centre = own.getByRole('list', { name: 'Notifications' })
  await centre.getByRole('link').nth(1).waitFor()
  assert.deepEqual(
    await centre.getByRole('link').allTextContents(),
    ['is paused: too many failures', 'waits for promotion'].map((news) => `Rollout ${name} ${news}`),
  )
  await centre.getByRole('link').first().click()
  await own.getByRole('heading', { name, level: 1 }).waitFor()
  await own.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  fleet.clear('web-2', 'fail', 'install-1.1.0')
  fleet.set('web-3', 'hold', 'install-1.1.0')
  await button(page, 'Retry failed').click()
  await confirm('Retry failed')
  await cell(page, 'web-2', 'Succeeded').waitFor()
  await button(page, 'Promote').click()
  await cell(page, 'web-3', 'Installing').waitFor()
  await button(page, 'Stop').click()
  await page.getByLabel('Are cancelled').check()
  await confirm('Stop')
  fleet.clear('web-3', 'hold', 'install-1.1.0')
  await page.locator('button:not([aria-disabled="true"])', { hasText: /^Delete$/ }).waitFor()
  // the page of its creator follows
  await cell(own, 'web-3', 'Rolled back').waitFor()
  await own.goto(`${server.url}/#/rollouts`)
  await own.getByRole('row', { name: /shared.*Stopped/ }).waitFor()
  assert.deepEqual(fleet.versions(), ['1.1.0', '1.1.0', '1.0.0', '1.0.0'])
})

test('a maintenance window is created and changed, with the time at which it opens next', async (t) => {
  const page = await shared.open(t, 'rollouts/windows?create=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('nights')
  await dialog.getByLabel('Schedule', { exact: true }).fill('at night')
  await dialog.getByText('Five fields are needed').first().waitFor()
  await dialog.getByLabel('Schedule', { exact: true }).fill('0 22 * * *')
  await dialog.getByLabel('Time zone', { exact: true }).fill('Asia/Shanghai')
  // closes the suggestions
  await page.keyboard.press('Tab')
  await dialog
    .getByText(/Opens next: .*22:00 \(in /)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Create maintenance window', exact: true }).click()
  await page.getByRole('row', { name: /nights.*22:00.*Asia\/Shanghai.*2 hr/ }).waitFor()
  await button(page, 'Edit nights').click()
  await dialog.getByLabel('Duration in minutes', { exact: true }).fill('60')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('row', { name: /nights.*1 hr/ }).waitFor()
})
