import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  builtConsole,
  consolePort,
  installable,
  KeyboardDriver,
  type Page,
  reverseCleanup,
  ServerProcess,
  serverEnvironment,
  signedIn,
  TestBrowser,
} from '@wharf/testkit'

const MiB = 2 ** 20
const sizeMiB = process.env.TEST_LONG ? 200 : 16
const cleanup = reverseCleanup({ after })
await builtConsole()
const environment = await serverEnvironment(cleanup)
const server = new ServerProcess({ ...environment, WHARF_PORT: await consolePort() })
await server.start()
cleanup.after(async () => void (await server.stop()))
// keeps its port after a restart
server.environment.WHARF_PORT = new URL(server.bootstrap.url).port
const browser = await TestBrowser.start(cleanup)
const storage = { ...(await signedIn(server)), 'wharf.language': 'en', 'wharf.appearance': 'light' }

const folder = mkdtempSync(join(tmpdir(), 'wharf-upload-'))
cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
const archive = join(folder, 'hello-1.0.0.tar')
writeFileSync(
  archive,
  installable({ type: 'hello', more: [{ name: 'data.bin', data: Buffer.alloc(sizeMiB * MiB, 'wharf') }] }),
)

const open = (t: TestContext, place: string, expected: readonly RegExp[] = []): Promise<Page> =>
  browser.open(t, `${server.bootstrap.url}/#/${place}`, { storage, expected })

/** Drags a real file over the window and drops it. */
async function drop(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', {
      type,
      x: 700,
      y: 500,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    })
  await drag('dragEnter')
  await drag('dragOver')
  await page.getByText('Drop files to upload').waitFor()
  await drag('dragOver')
  // a pause before the drop
  await delay(200)
  await drag('drop')
}

async function chooseHost(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Destination/ }).click()
  await page.getByRole('option', { name: /this-node/ }).click()
}

/** Slow enough to close the tab during the upload. */
async function slowLine(page: Page, bytesPerSecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

test('a large file is dropped, the tab is closed during the upload, and another tab resumes it by keyboard', async (t) => {
  const first = await open(t, 'packages')
  await first.getByText('No packages yet.').waitFor()
  await slowLine(first, (sizeMiB * MiB) / 5)
  await drop(first, archive)
  const dialog = first.getByRole('dialog')
  // the fields are prefilled from the manifest
  await dialog.locator('input[value="hello"]').first().waitFor()
  // a host and a storage are possible, so the destination must be chosen
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Choose a destination').waitFor()
  await chooseHost(first)
  await dialog.getByLabel('Folder').fill(`${folder}/packages`)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await first.getByText(new RegExp(`\\d\\d(\\.\\d)? MiB of ${sizeMiB} MiB · .*MiB/s · .* left`)).waitFor()
  let hasPrompted = false
  first.on('dialog', (prompt) => {
    hasPrompted = true
    void prompt.accept()
  })
  const closed = first.waitForEvent('close')
  await first.close({ runBeforeUnload: true })
  await closed
  assert.ok(hasPrompted, 'the tab closed without a prompt')

  const page = await first.context().newPage()
  await page.goto(`${server.bootstrap.url}/#/packages`)
  await page.getByRole('heading', { name: 'Unfinished uploads' }).waitFor()
  const [, sent] = /([\d.]+) MiB of/.exec(
    (await page.getByText(new RegExp(`\\d\\d(\\.\\d)? MiB of ${sizeMiB} MiB received`)).textContent()) ?? '',
  ) as RegExpExecArray
  const sentAgain: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sentAgain.push(Number(request.headers()['upload-offset']))
  })
  const keyboard = new KeyboardDriver(page)
  await keyboard.skipToContent()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    keyboard.press(page.getByLabel('Choose the file hello-1.0.0.tar again')),
  ])
  await chooser.setFiles(archive)
  // the rest may take long on a busy machine
  await page.getByRole('link', { name: /is uploaded and ready to install/ }).waitFor({ timeout: 60_000 })
  const sentBefore = Number(sent) - 0.5
  assert.ok(sentBefore > 0 && (sentAgain[0] ?? 0) / MiB >= sentBefore, `${sent}, then ${sentAgain}`)
})

test('a page reports a restart of the server, and continues automatically', async (t) => {
  const page = await open(t, 'accounts', [/Failed to load resource/, /ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)/])
  await page.getByRole('cell', { name: 'admin' }).first().waitFor()
  const away = page.getByText('The server does not respond. This page continues automatically when it does.')
  await server.stop()
  await away.waitFor()
  await server.start()
  await away.waitFor({ state: 'detached' })
  const { status } = await server.admin.post('/v1/accounts', {
    params: { name: 'developers', password: 'a long password' },
  })
  assert.equal(status, 200)
  // nobody has touched the page; it can be gone on with, by keyboard too
  const keyboard = new KeyboardDriver(page)
  await keyboard.press(page.getByRole('link', { name: 'developers' }))
  await page.getByRole('heading', { name: 'developers', level: 1 }).waitFor()
})
