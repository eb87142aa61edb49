import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  accessibilityFaults,
  installable,
  type Locator,
  PackageSource,
  type Page,
  packageFolder,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
  testLong,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)

const hostCount = 300
const longName = `rack-07-${'a-very-long-host-name-'.repeat(9)}end`
const nameOf = (number: number): string => (number === 0 ? longName : `host-${String(number).padStart(3, '0')}`)
const uuidOf = (number: number): string => String(number).padStart(32, '0')

/** Hosts of a node that does not exist, so that no server probes them. */
await server.app.foundation.database.transaction(async (tx) => {
  const own = await tx.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
  const values = Array.from({ length: hostCount - 1 }, (_, number) => ({
    ...own,
    uuid: uuidOf(number),
    name: nameOf(number),
    managementNodeUuid: 'f'.repeat(32),
    description: number === 1 ? '=HYPERLINK("http://x.example")' : null,
    createDate: own.createDate - number * 1000,
  }))
  for (let start = 0; start < values.length; start += 100)
    await tx
      .insertInto('hosts')
      .values(values.slice(start, start + 100))
      .execute()
  const times = { createDate: own.createDate, lastOpDate: own.lastOpDate }
  const tag = (number: number, text: string) => ({
    uuid: `e${uuidOf(number).slice(1)}`,
    resourceUuid: uuidOf(number),
    resourceType: 'Host',
    tag: text,
    tagUuid: null,
    ...times,
  })
  await tx
    .insertInto('userTags')
    .values([tag(1, 'blue'), tag(2, 'green')])
    .execute()
})

const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1, exact: true })

async function preferences(page: Page, change: (dialog: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Table preferences' }).click()
  const dialog = page.getByRole('dialog')
  await change(dialog)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a long name leaves the other columns in place, and is shown on focus', async (t) => {
  const page = await shared.open(t, `hosts?q=uuid=${uuidOf(0)}`)
  const link = page.getByRole('rowheader', { name: longName }).getByRole('link')
  await link.waitFor()
  for (const name of ['Name', 'Address', 'Status', 'State'])
    await page.getByRole('columnheader', { name, exact: true }).first().waitFor()
  const right = await page
    .getByRole('columnheader', { name: 'State', exact: true })
    .first()
    .evaluate((header) => header.getBoundingClientRect().right)
  assert.ok(right < 1440, `the column ends at ${right}`)
  await link.focus()
  await page.getByRole('tooltip').getByText(longName).waitFor()
  await preferences(page, (dialog) => dialog.getByText('Wrap lines').click())
  const height = await link.evaluate((element) => element.getBoundingClientRect().height)
  assert.ok(height > 60, `the wrapped name is ${height} high`)
})

test('page size, columns, order and widths are kept per user and table', async (t) => {
  // few rows, as long as each change renders all of them
  const page = await shared.open(t, 'hosts?q=name~=%25host-29%25')
  await heading(page, 'Hosts (9)').waitFor()
  const rows = page.getByRole('main').getByRole('row')
  await preferences(page, async (dialog) => {
    await dialog.getByText('50 records').click()
    await dialog.getByText('Compact rows').click()
    await dialog.getByRole('checkbox', { name: 'Capacity' }).click()
  })
  const capacity = page.getByRole('columnheader', { name: 'Capacity' })
  await capacity.first().waitFor({ state: 'detached' })
  const resizer = page.getByRole('columnheader', { name: 'Name' }).first().getByRole('button', { name: /Name/ }).last()
  const box = await resizer.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 100, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  const width = () =>
    page
      .getByRole('columnheader', { name: 'Name' })
      .first()
      .evaluate((header) => Math.round(header.getBoundingClientRect().width))
  const resized = await width()
  await page.reload()
  await heading(page, 'Hosts (9)').waitFor()
  assert.equal(await capacity.count(), 0)
  assert.equal(await width(), resized)
  await page.goto(`${server.url}/#/hosts`)
  await page.getByRole('link', { name: 'host-040' }).waitFor()
  assert.equal(await rows.count(), 51)
  // another table has its own
  await page.goto(`${server.url}/#/packages`)
  await page.getByRole('columnheader', { name: 'Size' }).first().waitFor()
})

test('a filter is saved under a name, chosen, shared as a link, and deleted', async (t) => {
  const page = await shared.open(t, 'hosts?q=name~=%25host-29%25')
  await heading(page, 'Hosts (9)').waitFor()
  await page.getByRole('button', { name: 'Filter actions' }).click()
  await page.getByRole('menuitem', { name: 'Save filter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('twenty-nine')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const choice = page.getByRole('button', { name: /^Saved filters/ })
  await choice.click()
  await page.getByRole('option', { name: 'All records' }).click()
  await heading(page, `Hosts (${hostCount})`).waitFor()
  assert.match(await page.evaluate(() => JSON.stringify(localStorage)), /twenty-nine/)
  await choice.click()
  await page.getByRole('option', { name: 'twenty-nine' }).click()
  await heading(page, 'Hosts (9)').waitFor()
  assert.match(decodeURIComponent(page.url()), /q=name~=%host-29%/)
  await page.getByRole('button', { name: 'Filter actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete filter twenty-nine' }).click()
  await choice.waitFor({ state: 'detached' })
})

test('the tags of a record are a column, and filter the list', async (t) => {
  const page = await shared.open(t, 'hosts?q=name~=host-00_')
  await page.getByRole('link', { name: 'Filter by tag green' }).waitFor()
  await page.getByRole('link', { name: 'Filter by tag blue' }).click()
  await heading(page, 'Hosts (1)').waitFor()
  await page.getByRole('link', { name: 'host-001' }).waitFor()
  assert.match(page.url(), /__userTag__%3Dblue/)
})

/** The file that a choice of the export menu downloads. */
async function exportedBy(page: Page, choice: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: choice }).click(),
  ])
  return readFileSync(await file.path(), 'utf8')
}

test('all matching records are exported, and an export can be cancelled', async (t) => {
  const page = await shared.open(t, 'hosts?q=name~=%25host-%25')
  const matching = hostCount - 1
  await heading(page, `Hosts (${matching})`).waitFor()
  const records = JSON.parse(await exportedBy(page, 'JSON')) as { name: string; description: string | null }[]
  assert.equal(new Set(records.map(({ name }) => name)).size, matching)
  assert.ok(records.some(({ description }) => description?.startsWith('=HYPERLINK')))
  const lines = (await exportedBy(page, 'CSV')).trimEnd().split('\r\n')
  assert.match(lines[0] ?? '', /^\uFEFFName,Address,Status,State,.*Tags$/)
  assert.equal(lines.length, matching + 1)
  assert.match(lines.find((line) => line.startsWith('host-002,')) ?? '', /,green$/)
  await page.route(/sort=%2Buuid/, () => {})
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`0 of ${matching} records`).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).last().click()
  await dialog.waitFor({ state: 'detached' })
})

testLong('a bulk action is confirmed with the names, and each row has its result', async (t) => {
  const folder = packageFolder(cleanup)
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const config = { type: 'object', properties: { port: { type: 'integer' } } }
  const archives = {
    good: installable(),
    // fails until a file exists
    broken: installable({ hooks: { install: `test -e ${folder}/repaired || { echo no; exit 3; }` } }),
    configured: installable({ config }),
  }
  for (const [name, archive] of Object.entries(archives)) {
    const url = source.serve(`${name}.tar`, archive)
    const params = { name, type: 'demo', url, installPath: `${folder}/${name}.tar`, hostUuid, managementNodeUuid }
    const { status, text } = await server.admin.post('/v1/software-packages/upload', { params })
    assert.equal(status, 200, text)
  }
  // the failed job responds with the status of its failure
  const page = await shared.open(t, 'packages', [/status of 503/])
  await page.getByRole('link', { name: 'good' }).waitFor()
  // the copy in the sticky header covers it
  await page.getByRole('checkbox', { name: 'Select Packages' }).first().press('Space')
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Install', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const row = (name: string): Locator => dialog.getByRole('row', { name: new RegExp(`^${name} `) })
  await row('configured').getByText('The package has a configuration form').waitFor()
  await dialog.getByRole('button', { name: 'Install (2)' }).click()
  await row('good').getByText('Succeeded', { exact: true }).waitFor()
  await row('broken')
    .getByText(/SoftwarePackage\.\d+ .*3/)
    .waitFor()
  await dialog.getByText('1 succeeded, 1 failed, 2 in total').waitFor()
  assert.deepEqual(await accessibilityFaults(page, 'structure'), [])
  writeFileSync(join(folder, 'repaired'), '')
  await dialog.getByRole('button', { name: 'Retry failed (1)' }).click()
  // nothing else starts, so the dialog need not stay open
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page
    .getByRole('row', { name: /^(Select )?broken/ })
    .getByText('Installed')
    .waitFor()
  // the selection was cleared
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
})

test('on a phone the rows are cards, which can be selected', async (t) => {
  const page = await shared.open(t, `hosts?q=uuid%3F=${uuidOf(0)},${uuidOf(1)}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: longName }).waitFor()
  assert.equal(await page.getByRole('table').count(), 0)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  await page.getByRole('checkbox', { name: 'Select host-001' }).check()
  await heading(page, 'Hosts (1/2)').waitFor()
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('host-001').waitFor()
  await dialog.getByRole('button', { name: 'Disable (1)' }).click()
  await dialog.getByText('Succeeded', { exact: true }).waitFor()
  const { body } = await server.admin.get(`/v1/hosts/${uuidOf(1)}?fields=state`)
  assert.deepEqual(body.inventories, [{ state: 'Disabled' }])
})
