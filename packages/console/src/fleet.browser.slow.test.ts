import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  installable,
  type Locator,
  type Page,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)
const folder = mkdtempSync(join(tmpdir(), 'wharf-fleet-'))
cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
const { hostUuid, managementNodeUuid } = server.bootstrap

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true })

/** A version of hello whose installation needs a port. */
function archiveOf(version: string): string {
  const path = join(folder, `hello-${version}.tar`)
  const port = { title: 'Port', type: 'integer' }
  const config = { type: 'object', required: ['port'], properties: { port } }
  const hooks = { install: 'cat >input', uninstall: 'cat >/dev/null', verify: 'cat >/dev/null' }
  writeFileSync(path, installable({ name: 'hello', type: 'demo', version, config, hooks }))
  return path
}

async function publish(page: Page, version: string): Promise<void> {
  await button(page, 'Publish').first().click()
  const dialog = page.getByRole('dialog')
  await button(dialog, 'This computer').click()
  await dialog.locator('input[type=file]').setInputFiles(archiveOf(version))
  await dialog.getByText(`hello ${version} · hello-${version}.tar`).waitFor()
  await button(dialog, 'Publish').click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: `hello ${version}` })
    .getByText('Published')
    .waitFor()
}

test('files are published, a package is upgraded to a release and rolled back, and each release lists its hosts', async (t) => {
  const page = await shared.open(t, 'releases')
  await page.getByText('No releases yet.').waitFor()
  for (const version of ['1.0.0', '1.1.0']) await publish(page, version)
  const params = { name: 'hello 1.0.0', type: 'demo', url: 'release://hello@1.0.0' }
  const place = { hostUuid, managementNodeUuid, installPath: join(folder, 'installed/hello.tar') }
  const uploaded = await server.admin.post('/v1/software-packages/upload', { params: { ...params, ...place } })
  const { uuid } = uploaded.body.inventory as { uuid: string }
  const installSoftwarePackage = { config: '{"port":8080}' }
  await server.admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage })

  await page.goto(`${server.url}/#/packages/${uuid}`)
  await button(page, 'Upgrade').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Release/ }).click()
  await page.getByRole('option', { name: 'hello 1.1.0' }).click()
  await dialog.getByText('Change the configuration').click()
  // the kept configuration
  await dialog.locator('input[value="8080"]').fill('9090')
  await button(dialog, 'Upgrade').click()
  await page.getByText('Another version is installed in place of this one').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'hello 1.1.0', exact: true }).click()
  await page.getByText('Healthy', { exact: true }).first().waitFor()

  await button(page, 'Roll back').click()
  await button(page.getByRole('dialog'), 'Roll back').click()
  await page.getByText('Another version is installed in place of this one').waitFor()
  await page.goto(`${server.url}/#/releases`)
  await page.getByRole('row', { name: 'hello 1.0.0' }).getByRole('link', { name: '1 host' }).waitFor()
  await page.getByRole('row', { name: 'hello 1.1.0' }).getByText('No host').waitFor()
  await page.getByRole('row', { name: 'hello 1.0.0' }).getByRole('link', { name: 'hello' }).click()
  await page.getByRole('row', { name: /this-node.*1\.0\.0.*Healthy/ }).waitFor()
})

test('labels are set on selected hosts, filter the list, and are removed on the page of a host; a tag is attached', async (t) => {
  const added = { driver: 'local', address: '127.0.0.1', username: 'x' }
  await server.admin.post('/v1/hosts', { params: { name: 'second', ...added, labels: { zone: 'b' } } })
  const page = await shared.open(t, 'hosts')
  await page.getByRole('checkbox', { name: 'Select this-node' }).click()
  await button(page, 'Actions').click()
  await page.getByRole('menuitem', { name: 'Set labels' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByPlaceholder('zone').fill('zone')
  await dialog.getByPlaceholder('a', { exact: true }).fill('a')
  await button(dialog, 'Set labels (1)').click()
  await dialog.getByText('1 succeeded, 0 failed').waitFor()
  await button(dialog, 'Close').last().click()

  await page.getByRole('link', { name: 'Show all hosts with zone=a' }).click()
  await page.getByText('Label zone = a').waitFor()
  await page.getByRole('heading', { name: 'Hosts (1)' }).waitFor()
  await page.getByRole('rowheader', { name: 'this-node' }).getByRole('link').click()
  await button(page, 'Edit labels').click()
  await button(page.getByRole('dialog'), 'Remove zone').click()
  await button(page.getByRole('dialog'), 'Save').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Show all hosts with zone=a' }).waitFor({ state: 'detached' })
  await page.getByLabel('New tag').fill('production')
  await button(page, 'Attach').click()
  await page.getByRole('link', { name: 'Show all with the tag production' }).waitFor()
})
