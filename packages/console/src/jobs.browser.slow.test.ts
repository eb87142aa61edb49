import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  accessibilityFaults,
  installable,
  PackageSource,
  type Page,
  packageFolder,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
  TrialJob,
  testLong,
  trialOperations,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup, { extend: trialOperations })
const { admin, bootstrap } = server
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)
const folder = packageFolder(cleanup)
const phone = { width: 390, height: 844 }

/** The answer of a failed job. */
const jobFailure = [/status of 50[23]/]

/** The hook fails while this file exists. */
const obstacle = join(folder, 'obstacle')
const hook = [
  'cat >/dev/null; echo preparing',
  `while [ -e ${obstacle}.wait ]; do sleep 0.1; done`,
  `if [ -e ${obstacle} ]; then seq -f 'attempt %g' 12; echo "bind: port 9100"; echo "is in use" >&2; exit 3; fi`,
].join('\n')
const url = source.serve('exporter.tar', installable({ hooks: { install: hook } }))

async function upload(name: string): Promise<string> {
  const { hostUuid, managementNodeUuid } = bootstrap
  const params = { name, type: 'demo', url, installPath: join(folder, `${name}.tar`), hostUuid, managementNodeUuid }
  const { body, text } = await admin.post('/v1/software-packages/upload', { params })
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}

const startInstall = (uuid: string) =>
  admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} }, { prefer: 'respond-async' })

async function topOf(page: Page, text: string | RegExp): Promise<number> {
  const box = await page.getByText(text).first().boundingBox()
  assert.ok(box, `${text} is visible`)
  return box.y
}

test('a failed job notifies its user on any page; its page shows the reason first, and retries', async (t) => {
  const uuid = await upload('exporter')
  const page = await shared.open(t, 'hosts', jobFailure)
  await page.getByRole('heading', { name: /^Hosts/, level: 1 }).waitFor()
  writeFileSync(obstacle, '')
  await startInstall(uuid)
  const flash = page.getByText(/^Install exporter 1\.0\.0 on .+: failed$/)
  await flash.waitFor()
  await page.getByText(/install ended with exit code 3/).waitFor()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page, 'structure'), [])

  await page.getByRole('button', { name: 'Show reason' }).click()
  await page.getByRole('heading', { name: /^Install exporter 1\.0\.0 on/, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  assert.equal(await flash.count(), 0, 'the page of the job needs no notification')
  const text = page.locator('.error-text')
  assert.match((await text.textContent()) ?? '', /bind: port 9100\nis in use/)
  assert.equal(await text.evaluate((element) => getComputedStyle(element).whiteSpace), 'pre-wrap')
  assert.ok((await topOf(page, /^SoftwarePackage\.1300 · /)) < (await topOf(page, 'Started by')))

  rmSync(obstacle)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('definition').getByText('Succeeded', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
})

testLong('a job that ends while no page is open is in the notification centre afterwards', async (t) => {
  const uuid = await upload('closed')
  const page = await shared.open(t, 'hosts', jobFailure)
  await page.getByRole('heading', { name: /^Hosts/, level: 1 }).waitFor()
  // the browser has seen what ended before
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, text]) => key.startsWith('wharf.notifications.') && text.includes('"jobs"'),
    ),
  )
  await page.goto('about:blank')
  const done = await admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} })
  assert.equal(done.status, 200, done.text)
  await page.goto(`${server.url}/#/hosts`)
  await page.getByText(/^Install closed 1\.0\.0 on .+: succeeded$/).waitFor()
  await page.getByRole('button', { name: /^Notifications, \d unread$/ }).click()
  const centre = page.getByRole('list', { name: 'Notifications' })
  await centre.getByRole('link', { name: /^Install closed/ }).waitFor()
  assert.deepEqual(await accessibilityFaults(page, 'structure'), [])
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Close help panel' }).click()
})

test('running jobs are one line, which the pages of jobs do not repeat', async (t) => {
  const start = (name: string) => TrialJob.start(admin, { trace: join(folder, name), holdAt: 'run second' })
  const first = await start('first')
  const page = await shared.open(t, 'accounts', jobFailure)
  const line = page.locator('.running-jobs')
  await line.getByRole('link', { name: /^StartDemo \(\d+%\)$/ }).waitFor()
  const second = await start('second')
  await line.getByRole('link', { name: '2 jobs are running' }).click()
  await page.getByRole('heading', { name: /^Jobs/, level: 1 }).waitFor()
  assert.equal(await line.count(), 0)
  await page.getByRole('link', { name: 'StartDemo' }).first().click()
  await page.getByRole('button', { name: 'Cancel job' }).waitFor()
  assert.equal(await line.count(), 0)
  for (const job of [first, second]) {
    await job.cancel()
    await job.waitForEnd()
  }
})

test('a cancelled installation is not shown as a failure', async (t) => {
  const uuid = await upload('stopped')
  writeFileSync(`${obstacle}.wait`, '')
  await startInstall(uuid)
  const { body } = await admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=state=Running`)
  const [job] = body.inventories as { uuid: string }[]
  const page = await shared.open(t, `packages/${uuid}`, jobFailure)
  await page.getByRole('log').getByText('preparing').waitFor()
  await admin.delete(`/v1/api-jobs/${job?.uuid}`)
  await page.getByText(/^Install stopped 1\.0\.0 on .+: cancelled$/).waitFor()
  await page.getByRole('definition').getByText('Cancelled', { exact: true }).waitFor()
  assert.equal(await page.getByText('Install failed', { exact: true }).count(), 0)
  rmSync(`${obstacle}.wait`)
})

test('jobs are listed by what they do, and found by record, host and person', async (t) => {
  const dora = await server.signIn('operator', 'dora')
  const job = await TrialJob.start(dora, { trace: join(folder, 'of-dora'), failAt: 'run first' })
  await job.waitForEnd()
  const page = await shared.open(t, 'jobs', jobFailure)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await rows
    .filter({ hasText: /Install exporter 1\.0\.0 on/ })
    .first()
    .waitFor()
  const search = async (text: string): Promise<void> => {
    await page.goto(`${server.url}/#/jobs`)
    await page.getByRole('combobox', { name: 'Filter by field or text' }).fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(/summary/)
  }
  await search('dora')
  await page.getByRole('heading', { name: 'Jobs (1)', level: 1 }).waitFor()
  await rows.filter({ hasText: 'dora' }).waitFor()
  await search('exporter 1.0')
  await rows.filter({ hasText: 'Install exporter' }).first().waitFor()
  await page.goto(`${server.url}/#/jobs`)
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await rows.filter({ hasText: 'dora' }).waitFor()
  assert.match(page.url(), /view=failed/)
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await rows.filter({ hasText: 'Install stopped' }).waitFor()
  assert.equal(await rows.filter({ hasText: 'dora' }).count(), 0)
})

testLong('on a phone the reason of a failed package and of a lost storage is above the facts', async (t) => {
  const uuid = await upload('small')
  writeFileSync(obstacle, '')
  const failed = await admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} })
  assert.equal(failed.status, 502)
  const page = await shared.open(t, `packages/${uuid}`, jobFailure)
  await page.setViewportSize(phone)
  await page.getByText(/^SoftwarePackage\.1300 · /).waitFor()
  assert.ok((await topOf(page, /^SoftwarePackage\.1300 · /)) < phone.height)
  assert.ok((await topOf(page, /^SoftwarePackage\.1300 · /)) < (await topOf(page, 'MD5')))

  const shelf = join(folder, 'shelf')
  mkdirSync(shelf)
  const params = { name: 'shelf', type: 'folder', url: `file://${shelf}` }
  const added = await admin.post('/v1/backup-storage', { params })
  const { uuid: storage } = added.body.inventory as { uuid: string }
  rmSync(shelf, { recursive: true })
  await admin.put(`/v1/backup-storage/${storage}/actions`, { reconnectBackupStorage: {} })
  await page.goto(`${server.url}/#/backup-storage/${storage}`)
  await page.getByText(/^the folder .*shelf does not exist/).waitFor()
  assert.ok((await topOf(page, /^BS\.1003 · /)) < (await topOf(page, /^URL$/)))
})
