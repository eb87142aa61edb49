import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  installable,
  PackageSource,
  type Page,
  reverseCleanup,
  SharedPage,
  startConsole,
  TestBrowser,
} from '@wharf/testkit'

const MiB = 2 ** 20
const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const folder = mkdtempSync(join(tmpdir(), 'wharf-uploads-'))
cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))

const archive = installable({ more: [{ name: 'data.bin', data: Buffer.alloc(8 * MiB, 'wharf') }] })
const names = ['first', 'second', 'third'] as const
const files = names.map((name) => join(folder, `${name}.tar`))
for (const file of files) writeFileSync(file, archive)

const shared = await SharedPage.signIn(cleanup, browser, server)

/** 0 removes the limit. The session ends with the page. */
async function lineOf(page: Page): Promise<(bytesPerSecond: number) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  return async (bytesPerSecond) => {
    const uploadThroughput = bytesPerSecond || -1
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
    await devtools.send('Network.emulateNetworkConditions', conditions)
  }
}

const known = async (): Promise<string[]> => {
  const { body } = await server.admin.get('/v1/software-package?fields=name,status&sort=%2Bname')
  return (body.inventories as { name: string; status: string }[]).map(({ name, status }) => `${name} ${status}`)
}

test('the server downloads a package from a URL', async (t) => {
  const page = await shared.open(t, 'packages')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'URL' }).click()
  await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://packages.example/fetched.tar')
  await dialog.getByText('Must start with http://').waitFor()
  await dialog.getByRole('textbox', { name: 'URL' }).fill(source.serve('fetched.tar', installable()))
  assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'fetched')
  await dialog.getByLabel('Type').fill('demo')
  await dialog.getByRole('button', { name: /^Destination/ }).click()
  await page.getByRole('option', { name: /this-node/ }).click()
  await dialog.getByLabel('Folder').fill(`${folder}/packages`)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { name: 'fetched', level: 1 }).waitFor()
  await page.locator('[aria-current=step]', { hasText: 'Uploaded' }).waitFor()
})

test('several files: one is paused and resumed, one is cancelled, and signing out requires confirmation', async (t) => {
  // the offset may be requested while the upload is being cancelled
  const page = await shared.open(t, 'packages', [/status of 410/])
  const setLine = await lineOf(page)
  await setLine(MiB)
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(files)
  for (const name of names) await dialog.getByLabel(`Name of ${name}.tar`).fill(name)
  await dialog.getByRole('button', { name: /^Destination/ }).click()
  await page.getByRole('option', { name: /this-node/ }).click()
  await dialog.getByLabel('Folder').fill(`${folder}/packages`)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('Queued').waitFor()
  await page.getByRole('button', { name: 'Pause first' }).click()
  await page.getByText('Paused').waitFor()
  // a slot is free now
  await page.getByText('Queued').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'admin', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await dialog.getByText(/^3 uploads stop\./).waitFor()
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()

  await page.getByRole('button', { name: 'Cancel second' }).click()
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Cancel second' }).click()
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('button', { name: 'Cancel second' }).waitFor({ state: 'detached' })
  await setLine(0)
  await page.getByRole('button', { name: 'Resume first' }).click()
  for (const name of ['first', 'third'])
    await page.getByRole('link', { name: `${name} is uploaded and ready to install.` }).waitFor()
  assert.deepEqual(await known(), ['fetched Uploaded', 'first Uploaded', 'third Uploaded'])
})
