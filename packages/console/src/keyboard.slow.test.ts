import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import {
  ChatReceiver,
  DemoJob,
  demoOperations,
  installable,
  type Locator,
  PackageSource,
  type Page,
  reverseCleanup,
  signedIn,
  startConsole,
  startHosts,
  TestBrowser,
  type TestHost,
  testEngine,
} from '@wharf/testkit'
import { clusterPackage } from '../../testkit/src/cluster-package.ts'

if (testEngine !== 'sqlite') process.exit(0)

const cleanup = reverseCleanup({ after })
const folder = mkdtempSync(join(tmpdir(), 'wharf-keyboard-'))
cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
const [server, receiver, source, [host]] = await Promise.all([
  startConsole(cleanup, { extend: demoOperations }),
  ChatReceiver.start(cleanup),
  PackageSource.start(cleanup),
  startHosts(cleanup, 1) as Promise<[TestHost]>,
])
const browser = await TestBrowser.start(cleanup)
const session = await signedIn(server)

/** More stops than any page has. */
const maxStops = 120

/** Somebody without a mouse: nothing is clicked, and nothing that is not focused is typed into. */
class Typist {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Goes there stop by stop; whoever looks must see where they are. */
  async to(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    let before: string | undefined
    for (let stop = 0; stop < maxStops; stop++) {
      const { isHere, look } = await target.evaluate(seen)
      if (isHere) return assert.notEqual(look, before, `it cannot be seen that ${target} has the focus`)
      before = look
      await this.page.keyboard.press('Tab')
    }
    assert.fail(`the keyboard does not lead to ${target}`)
  }

  /** Typed over what is there. */
  async write(target: Locator, text: string): Promise<void> {
    await this.to(target)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.to(target)
    await this.page.keyboard.press(key)
  }

  keys = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await this.page.keyboard.press(key)
  }
}

/** Whether it has the focus, and all that could show it: rings, shadows and borders of it and of what is drawn for it. */
function seen(element: Element): { isHere: boolean; look: string } {
  const drawn = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null)
  const look = drawn.flatMap((one) =>
    [null, '::before', '::after'].map((part) => {
      const { content, boxShadow, outline, border } = getComputedStyle(one, part)
      return part !== null && content === 'none' ? '' : `${boxShadow} ${outline} ${border}`
    }),
  )
  return { isHere: element === document.activeElement, look: look.join('\n') }
}

async function sitDown(t: TestContext, place = '', expected: readonly RegExp[] = []): Promise<Typist> {
  const remembered = { ...session, 'wharf.language': 'en', 'wharf.appearance': 'light' }
  const options = { remembered, expected }
  return new Typist(await browser.open({ after: (work) => t.after(work) }, `${server.url}/${place}`, options))
}

test('by keyboard: sign in, go to a page, and sign out', async (t) => {
  const remembered = { 'wharf.language': 'en' }
  const page = await browser.open({ after: (work) => t.after(work) }, `${server.url}/`, { remembered })
  const typist = new Typist(page)
  await typist.write(page.getByLabel('Password'), server.bootstrap.password)
  await typist.keys('Enter')
  await typist.press(page.getByRole('link', { name: 'Packages', exact: true }))
  await page.getByRole('heading', { name: /^Packages/, level: 1 }).waitFor()
  await typist.press(page.getByRole('button', { name: 'admin', exact: true }))
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await typist.keys('Enter')
  await page.getByLabel('Password').waitFor()
})

test('by keyboard: a file is chosen, uploaded and installed', async (t) => {
  const archive = join(folder, 'hello-1.0.0.tar')
  const properties = { port: { title: 'Port', type: 'integer' } }
  writeFileSync(
    archive,
    installable({
      type: 'hello',
      config: { type: 'object', properties, required: ['port'] },
      hooks: { install: 'cat; echo; echo installed' },
    }),
  )
  const typist = await sitDown(t, '#/packages')
  const { page } = typist
  await typist.press(page.getByRole('button', { name: 'Upload', exact: true }).first())
  const dialog = page.getByRole('dialog')
  const chooser = page.waitForEvent('filechooser')
  await typist.press(dialog.locator('input[type=file]'))
  await (await chooser).setFiles(archive)
  await dialog.getByLabel('Name').waitFor()
  await typist.write(dialog.getByLabel('Folder'), `${folder}/packages`)
  await typist.keys('Escape')
  await typist.press(dialog.getByRole('button', { name: 'Upload', exact: true }))
  await typist.press(page.getByRole('link', { name: /is uploaded and can be installed/ }))
  await typist.press(page.getByRole('button', { name: 'Install', exact: true }))
  const form = page.getByRole('dialog')
  await typist.write(form.getByLabel('Port'), '8080')
  await typist.press(form.getByRole('button', { name: 'Install', exact: true }))
  await page.getByRole('log').getByText('"port":8080').waitFor()
  await page.locator('[aria-current=step]', { hasText: 'Installed' }).waitFor()
  // what scrolls is reached too
  await typist.to(page.getByRole('log'))
})

test('by keyboard: a host is added', async (t) => {
  const typist = await sitDown(t, '#/hosts', [/status of 503/])
  const { page } = typist
  await typist.press(page.getByRole('button', { name: 'Add a host' }).first())
  await typist.write(page.getByLabel('Address'), host.address)
  await typist.write(page.getByLabel('SSH port'), String(host.port))
  await typist.write(page.getByLabel('Name'), 'by-keyboard')
  await typist.write(page.getByLabel('User'), host.username)
  await typist.to(page.getByRole('radio', { name: /The key of this server/ }))
  await typist.keys('ArrowDown')
  await typist.write(page.getByLabel('Private key'), host.privateKey)
  await typist.press(page.getByRole('button', { name: 'Ask for its key' }))
  await page.getByText(host.hostKeyFingerprint).waitFor()
  await typist.press(page.getByRole('button', { name: 'Trust this key and add' }))
  await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor()
})

test('by keyboard: the wizard to its last step', async (t) => {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const place = { hostUuid, managementNodeUuid, installPath: `${folder}/cluster.tar` }
  const url = source.serve('cluster.tar', clusterPackage())
  const params = { name: 'etcd', type: 'storage', url, ...place }
  const { body } = await server.admin.post('/v1/software-packages/upload', { params })
  const { uuid } = body.inventory as { uuid: string }
  await server.admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} })

  const typist = await sitDown(t, '#/clusters')
  const { page } = typist
  const next = page.getByRole('button', { name: 'Next' })
  await typist.press(page.getByRole('button', { name: 'Add a cluster' }).first())
  await typist.write(page.getByLabel('Name'), 'storage')
  await typist.press(next)
  await typist.press(page.getByRole('button', { name: /^Package/ }))
  await page.getByRole('option', { name: /etcd/ }).waitFor()
  await page.keyboard.insertText('etcd')
  await typist.keys('ArrowDown', 'Enter')
  await typist.press(next)
  for (const [label, value] of Object.entries({
    'First node': '10.0.0.11',
    'Second node': '10.0.0.12',
    'Third node': '10.0.0.13',
    'Management network': '10.0.0.0/24',
    'Public network': '10.1.0.0/24',
    'Cluster network': '10.2.0.0/24',
  }))
    await typist.write(page.getByLabel(label), value)
  await typist.press(next)
  await page.getByText('Node 10.0.0.13 is no managed host').waitFor()
  await typist.to(page.getByRole('button', { name: 'Form the cluster' }))
})

test('by keyboard: an error is explained', async (t) => {
  const typist = await sitDown(t, '#/explain')
  const { page } = typist
  await typist.write(page.getByRole('textbox', { name: 'Error' }), 'connect to host 10.0.0.7: Connection refused')
  await page.getByRole('heading', { name: 'What it means and what to do' }).waitFor()
})

test('by keyboard: a key is created', async (t) => {
  const typist = await sitDown(t, '#/access-keys')
  const { page } = typist
  await typist.press(page.getByRole('button', { name: 'Create access key' }).first(), 'Space')
  const dialog = page.getByRole('dialog')
  await typist.write(dialog.getByLabel(/^Description/), 'by keyboard')
  await typist.press(dialog.getByRole('button', { name: 'Create access key' }), 'Space')
  await page.getByText('This is the only time that the secret is shown.').waitFor()
  await typist.press(page.getByRole('button', { name: 'I have kept it' }).last())
  await page.getByRole('cell', { name: 'by keyboard' }).waitFor()
})

test('by keyboard: a job is cancelled', async (t) => {
  await DemoJob.start(server.admin, { trace: join(folder, 'trace'), holdAt: 'run second' })
  const typist = await sitDown(t, '#/jobs')
  const { page } = typist
  await typist.press(page.getByRole('link', { name: 'StartDemo' }).first())
  await typist.press(page.getByRole('button', { name: 'Cancel the job' }))
  await typist.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }))
  await page.getByText('Cancelled', { exact: true }).waitFor()
})

test('by keyboard: a chat group is added and tried', async (t) => {
  const typist = await sitDown(t, '#/chat')
  const { page } = typist
  await typist.press(page.getByRole('button', { name: 'Add endpoint' }).first())
  await typist.write(page.getByLabel('Name'), 'Operations')
  await typist.write(page.getByLabel('Webhook address'), receiver.hook('DingTalk', 'by-keyboard'))
  await typist.press(page.getByRole('button', { name: 'Add endpoint' }))
  await typist.press(page.getByRole('button', { name: 'Send a test message' }))
  await receiver.until('by-keyboard', 1)
})
