import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  accessibilityFaults,
  installable,
  type Locator,
  PackageSource,
  packageFolder,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
  testLong,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const { admin, bootstrap } = server
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)
const folder = packageFolder(cleanup)

/** Starts the installation of a package with this hook; returns the uuid of the job. */
async function install(name: string, hook: string): Promise<string> {
  const url = source.serve(`${name}.tar`, installable({ hooks: { install: hook } }))
  const { hostUuid, managementNodeUuid } = bootstrap
  const params = { name, type: 'demo', url, installPath: join(folder, `${name}.tar`), hostUuid, managementNodeUuid }
  const { body } = await admin.post('/v1/software-packages/upload', { params })
  const { uuid } = body.inventory as { uuid: string }
  const action = { installSoftwarePackage: {} }
  await admin.put(`/v1/software-package/install/${uuid}/actions`, action, { prefer: 'respond-async' })
  const jobs = await admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=operation=InstallSoftwarePackage`)
  return (jobs.body.inventories as { uuid: string }[])[0]?.uuid ?? ''
}

const colourOf = (text: Locator): Promise<string> => text.evaluate((element) => getComputedStyle(element).color)
const scrollTopOf = (log: Locator): Promise<number> => log.evaluate((element) => element.scrollTop)

test('a log of many thousand lines: any part of it, search, wrapped lines, and few rows', async (t) => {
  const lines = process.env.TEST_LONG ? 200_000 : 20_000
  const quarter = lines / 4
  const job = await install('long', 'true')
  const { database, jobs } = server.app.foundation
  await jobs.wait(job, 20_000)
  const last = await jobs.lastLogLine(job)
  const rowsPerWrite = 5000
  for (let from = last + 1; from <= lines; from += rowsPerWrite)
    await database.transaction((tx) =>
      tx
        .insertInto('jobLogs')
        .values(
          Array.from({ length: Math.min(rowsPerWrite, lines - from + 1) }, (_, index) => ({
            jobUuid: job,
            sequence: from + index,
            at: 1_700_000_000_000 + index,
            line: `line ${from + index}${(from + index) % quarter === 0 ? ' needle' : ''} ${'word '.repeat(index % 60)}`,
          })),
        )
        .execute(),
    )
  const page = await shared.open(t, `jobs/${job}`)
  const log = page.getByRole('log')
  const row = (number: number) => log.locator(`[data-number="${number}"]`)
  await row(lines).getByText(`line ${lines}`).waitFor()
  assert.ok((await log.locator('[data-number]').count()) < 150)

  const search = page.getByRole('searchbox', { name: 'Search the log' })
  await search.fill('NEEDLE')
  await page.getByText('1 of 4', { exact: true }).waitFor()
  await row(quarter).locator('mark').waitFor()
  await search.press('Enter')
  await row(2 * quarter)
    .locator('mark')
    .waitFor()
  await search.press('Shift+Enter')
  await row(quarter).locator('mark').waitFor()
  const {
    top = 0,
    bottom = 0,
    markTop = 0,
  } = await row(quarter).evaluate((element) => {
    const view = element.closest('[role=log]')?.getBoundingClientRect()
    return { top: view?.top, bottom: view?.bottom, markTop: element.getBoundingClientRect().top }
  })
  assert.ok(markTop > top && markTop < bottom, 'the match is visible')

  await log.focus()
  await page.keyboard.press('Home')
  await log.getByText('Step: Copy the package to the host').waitFor()
  await page.keyboard.press('PageDown')
  await row(30).waitFor()
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Wrap lines' }).click()
  assert.ok(await log.evaluate((element) => element.scrollWidth > element.clientWidth))
  await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }))
  await row(lines / 2)
    .getByText(`line ${lines / 2} needle`)
    .waitFor()
  await page.getByRole('button', { name: 'Jump to end' }).click()
  await row(lines).getByText(`line ${lines}`).waitFor()
  assert.ok((await log.locator('[data-number]').count()) < 150)
})

testLong('a job that prints colours and fails: headings, timeline, colours, times and the failure once', async (t) => {
  const go = join(folder, 'go')
  const hook = [
    `printf '\\033[32mOK\\033[0m \\033[1;38;5;208mready\\033[0m\\033[K\\n'`,
    `seq -f 'waiting %g' 100`,
    `while [ ! -e ${go} ]; do sleep 0.1; done`,
    `printf '\\033[31mError:\\033[0m no route to the database\\n'`,
    'exit 3',
  ]
  const job = await install('colours', hook.join('\n'))
  const page = await shared.open(t, `jobs/${job}`, [/status of 503/])
  const log = page.getByRole('log')
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await log.getByText('waiting 100').waitFor()
  await steps.filter({ hasText: 'Run the install hook' }).getByText('In progress').waitFor()
  await steps.filter({ hasText: 'Run the verify hook' }).getByText('Pending').waitFor()

  // the reader scrolls up, and stays there when lines are written
  await log.evaluate((element) => element.scrollTo({ top: 0 }))
  await page.getByRole('button', { name: 'Jump to end' }).waitFor()
  await log.getByText('Step: Run the install hook').waitFor()
  assert.equal(await log.getAttribute('aria-live'), 'off')
  writeFileSync(go, '')
  await page
    .getByRole('alert')
    .getByText(/ended with exit code 3/)
    .waitFor()
  assert.equal(await scrollTopOf(log), 0)
  assert.equal(await log.getByText(/\[32m|\u001b|\ufffd/).count(), 0)
  assert.notEqual(await colourOf(log.getByText('OK', { exact: true })), await colourOf(log))

  await steps.filter({ hasText: 'Run the install hook' }).getByText('Failed').waitFor()
  await steps.filter({ hasText: 'Run the install hook' }).getByText('Undone').waitFor()
  await steps.filter({ hasText: 'Run the verify hook' }).getByText('Skipped').waitFor()

  await page.getByRole('button', { name: 'Jump to end' }).click()
  await log.getByText('Failed: SoftwarePackage.1300').waitFor()
  await log.getByText('Undo: Run the install hook').waitFor()
  assert.equal(await log.getAttribute('aria-live'), 'polite')
  assert.equal(await log.getByText('no route to the database').count(), 1)
  assert.equal(await log.getByText('exit code 3').count(), 0)

  const search = page.getByRole('searchbox', { name: 'Search the log' })
  await search.fill('install hook')
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await log.locator('.log-step mark', { hasText: 'install hook' }).waitFor()
  await search.clear()

  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Timestamps' }).click()
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Times in UTC' }).click()
  await log
    .locator('time', { hasText: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/ })
    .first()
    .waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download log' }).click(),
  ])
  assert.match(readFileSync(await file.path(), 'utf8'), /^\S+Z step copy\n.*\n\S+Z OK ready\n.*\n\S+Z failed: /s)

  // last: the page is shared
  await page.getByRole('button', { name: /^English/ }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await log.getByText('失败：SoftwarePackage.1300').waitFor()
  await page.getByRole('listitem').getByText('运行安装钩子').waitFor()
  await page.evaluate(() => document.body.classList.add('awsui-dark-mode'))
  await log.evaluate((element) => element.scrollTo({ top: 0 }))
  await log.getByText('OK', { exact: true }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})
