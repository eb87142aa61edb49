import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  AlertPlatformFixture,
  accessibilityFaults,
  ChatReceiver,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup, { deliveryLimits: { pollMs: 50 } })
const browser = await TestBrowser.start(cleanup)
const receiver = await ChatReceiver.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)
const { hostUuid } = server.bootstrap
const { database } = server.app.foundation
const interval = 300_000
const gibibyte = 2 ** 30

/** Two days of samples, with a pause of two hours. */
async function storeSamples(): Promise<void> {
  const last = Math.floor(Date.now() / interval) * interval
  const samples = Array.from({ length: 576 }, (_, n) => ({
    hostUuid,
    time: last - n * interval,
    load1: Math.round(120 + 80 * Math.sin(n / 20)),
    processors: 2,
    memoryUsedBytes: Math.round((3 + Math.sin(n / 50)) * gibibyte),
    memoryTotalBytes: 8 * gibibyte,
    diskUsedBytes: 20 * gibibyte + n,
    diskTotalBytes: 40 * gibibyte,
    packagesDiskUsedBytes: 50 * gibibyte,
    packagesDiskTotalBytes: 100 * gibibyte,
  })).filter((_, n) => n < 100 || n > 124)
  await database.transaction(async (tx) => {
    await tx.deleteFrom('hostSamples').execute()
    for (let from = 0; from < samples.length; from += 50)
      await tx
        .insertInto('hostSamples')
        .values(samples.slice(from, from + 50))
        .execute()
  })
}

test('the charts of a host have values for pointers, keys and as a table, and explain when samples are taken', async (t) => {
  await storeSamples()
  const page = await shared.open(t, `hosts/${hostUuid}`)
  const load = page.getByRole('slider', { name: 'Load (2 processors)' })
  await load.waitFor()
  const newest = await load.getAttribute('aria-valuetext')
  assert.match(newest ?? '', /: Load 1.2$/)
  await load.focus()
  await page.keyboard.press('Home')
  const oldest = await load.getAttribute('aria-valuetext')
  assert.notEqual(oldest, newest)
  const readings = page.locator('.chart-reading')
  assert.equal((await readings.first().textContent())?.replace(' · ', ': '), oldest)

  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByRole('slider', { name: 'Disk (40 GiB)' }).waitFor()
  assert.match((await readings.nth(2).textContent()) ?? '', /\/ 20 GiB, Packages folder 50 GiB$/)
  await page.getByRole('button', { name: 'Show values as a table: Memory (8 GiB)' }).click()
  const rows = page.getByRole('region', { name: 'Memory (8 GiB)' }).getByRole('row')
  const count = await rows.count()
  assert.ok(count > 50 && count <= 301, `${count} rows`)
  assert.deepEqual(await accessibilityFaults(page), [])

  await database.transaction((tx) => tx.deleteFrom('hostSamples').execute())
  await page.getByRole('button', { name: '24 hours' }).click()
  await page.getByText('No samples in this period').waitFor()
})

test('alerts are counted over time, acknowledged and silenced; a silenced alert sends nothing', async (t) => {
  const platform = await AlertPlatformFixture.create(server)
  const params = { name: 'Operations', type: 'Slack', url: receiver.webhookUrl('Slack', 'operations') }
  assert.equal((await server.admin.post('/v1/sns/application-endpoints/chatapp', { params })).status, 200)
  await platform.send({ name: 'DiskFull' }, { name: 'SlowRequests', labels: { severity: 'warning' } })
  const page = await shared.open(t, 'alerts')
  const histogram = page.getByRole('slider', { name: 'Received alerts' })
  await histogram.waitFor()
  assert.match((await histogram.getAttribute('aria-valuetext')) ?? '', /Critical 1, Warning 1, Info 0, Resolved 0$/)

  await page.getByRole('link', { name: 'DiskFull' }).click()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Comment').fill('on it')
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by admin').waitFor()

  await page.getByRole('button', { name: 'Silence', exact: true }).click()
  await dialog.getByLabel('Until…').click()
  await dialog.getByLabel('Date').fill('2001/01/01')
  await dialog.getByLabel('Time').fill('10:00')
  await dialog.getByLabel('Reason').fill('the disk is being replaced')
  assert.ok(await dialog.getByRole('button', { name: 'Silence' }).isDisabled(), 'the time is in the past')
  assert.deepEqual(await accessibilityFaults(page, 'structure'), [])
  await dialog.getByLabel('4 hours').click()
  await dialog.getByRole('button', { name: 'Silence' }).click()
  await page.getByText(/Silenced by admin until/).waitFor()
  await page.getByText('the disk is being replaced').waitFor()

  const again = { startsAt: '2026-11-06T01:02:03.000Z' }
  await platform.send({ name: 'DiskFull', ...again }, { name: 'SlowRequests', ...again })
  const received = await receiver.waitForMessages('operations', 3)
  assert.deepEqual(
    received.map(({ body }) => /DiskFull|SlowRequests/.exec(body)?.[0]),
    ['DiskFull', 'SlowRequests', 'SlowRequests'],
  )
  await page.goto(`${server.url}/#/alerts`)
  await page.getByText('Silenced').first().waitFor()
  await page.getByText('Acknowledged').first().waitFor()
  await page.getByRole('checkbox', { name: 'Select Alerts' }).first().press('Space')
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Silence' }).click()
  await dialog.getByLabel('Reason').fill('maintenance of all machines')
  await dialog.getByRole('button', { name: 'Silence (4)' }).click()
  await dialog
    .getByText(/^4 succeeded/)
    .first()
    .waitFor()
  const { body } = await server.admin.get('/v1/zwatch/third-party/alerts?q=silenceComment=maintenance of all machines')
  assert.equal((body.inventories as unknown[]).length, 4)
})
