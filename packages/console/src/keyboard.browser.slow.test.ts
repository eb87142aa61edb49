import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { systemEventNames } from '@wharf/contract'
import {
  AlertPlatformFixture,
  ChatReceiver,
  installable,
  KeyboardDriver,
  type Locator,
  PackageSource,
  reverseCleanup,
  SharedPage,
  startConsole,
  startHosts,
  TestBrowser,
  type TestHost,
  TrialJob,
  testLong,
  trialOperations,
} from '@wharf/testkit'
import { clusterPackage } from '../../testkit/src/packages/cluster-package.ts'

const cleanup = reverseCleanup({ after })
const folder = mkdtempSync(join(tmpdir(), 'wharf-keyboard-'))
cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
const [server, receiver, source] = await Promise.all([
  startConsole(cleanup, { extend: trialOperations }),
  ChatReceiver.start(cleanup),
  PackageSource.start(cleanup),
])
const browser = await TestBrowser.start(cleanup)
const shared = await SharedPage.signIn(cleanup, browser, server)

async function openWithKeyboard(t: TestContext, place: string, expected?: readonly RegExp[]): Promise<KeyboardDriver> {
  const keyboard = new KeyboardDriver(await shared.open(t, place, expected))
  await keyboard.skipToContent()
  return keyboard
}

test('by keyboard: sign in, go to a page, and sign out', async (t) => {
  const storage = { 'wharf.language': 'en' }
  const page = await browser.open(t, `${server.url}/`, { storage, expected: [/status of 40[01]/] })
  const keyboard = new KeyboardDriver(page)
  await keyboard.write(page.getByLabel('Password'), 'wrong')
  await keyboard.keys('Enter')
  await page.getByText(/^ID\.100\d · /).waitFor()
  await page.getByText('Hint:').waitFor()
  await page.getByText(/^Request \S+/).waitFor()
  await keyboard.write(page.getByLabel('Password'), server.bootstrap.password)
  await keyboard.keys('Enter')
  await keyboard.press(page.getByRole('button', { name: 'Later' }))
  await keyboard.press(page.getByRole('link', { name: 'Packages', exact: true }))
  await page.getByRole('heading', { name: /^Packages/, level: 1 }).waitFor()
  await keyboard.press(page.getByRole('button', { name: 'admin', exact: true }))
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await keyboard.keys('ArrowDown', 'Enter')

  // at every sign-in until the password of the first start is changed
  await keyboard.write(page.getByLabel('Password'), server.bootstrap.password)
  await keyboard.keys('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change the password of the first start' })
  await dialog.getByLabel('New password').fill('short')
  await dialog.getByLabel('Confirm password').fill('short')
  await keyboard.keys('Enter')
  await dialog.getByText('has 5 characters; choose a password of at least 12').waitFor()
})

test('by keyboard: anything is found, a list is filtered, and the keys are listed', async (t) => {
  const keyboard = await openWithKeyboard(t, 'overview')
  const { page, keys } = keyboard
  const find = page.getByRole('dialog', { name: 'Find anything' })
  const focused = find.getByRole('combobox').and(page.locator(':focus'))
  const selected = find.getByRole('option', { selected: true })
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await keys('Control+k')
  await focused.waitFor()
  await page.keyboard.insertText('this-no')
  await find.getByRole('group', { name: 'Hosts' }).getByRole('option', { name: 'this-node' }).waitFor()
  await keys('Enter')
  await page.getByRole('heading', { name: 'this-node', level: 1 }).waitFor()
  // what was used last is first
  await keys('Control+k')
  await selected.getByText('this-node').waitFor()
  await focused.waitFor()
  await page.keyboard.insertText('nothing has this name')
  await find.getByText('Nothing found for “nothing has this name”.').waitFor()
  await keys('ControlOrMeta+a')
  await page.keyboard.insertText('clusters')
  await selected.getByText('Clusters', { exact: true }).waitFor()
  await keys('Enter')
  await page.getByRole('heading', { name: 'Clusters (0)', level: 1 }).waitFor()
  await keys('/')
  await page.locator(':focus').and(page.getByRole('combobox')).waitFor()
  // a field receives the keys as text
  await keys('?', '/')
  assert.equal(await page.locator(':focus').inputValue(), '?/')
  await keys('Escape', 'Control+k')
  await focused.waitFor()
  await page.keyboard.insertText('keyboard')
  await selected.getByText('Show keyboard shortcuts').waitFor()
  await keys('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await keys('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.press(page.getByRole('button', { name: 'Add a cluster' }).first(), '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await keys('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

testLong('by keyboard: a file is chosen, uploaded and installed', async (t) => {
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
  const keyboard = await openWithKeyboard(t, 'packages')
  const { page } = keyboard
  await keyboard.press(page.getByRole('button', { name: 'Upload', exact: true }).first())
  const dialog = page.getByRole('dialog')
  await choose(keyboard, dialog.locator('input[type=file]'), archive)
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  await chooseHost(keyboard)
  await keyboard.write(dialog.getByLabel('Folder'), `${folder}/packages`)
  await keyboard.keys('Escape')
  await keyboard.press(dialog.getByRole('button', { name: 'Upload', exact: true }))
  await keyboard.press(page.getByRole('link', { name: /is uploaded and ready to install/ }))
  await keyboard.press(page.getByRole('button', { name: 'Install', exact: true }))
  const form = page.getByRole('dialog')
  await keyboard.write(form.getByLabel('Port'), '8080')
  await keyboard.press(form.getByRole('button', { name: 'Install', exact: true }))
  await page.getByRole('log').getByText('"port":8080').waitFor()
  await page.locator('[aria-current=step]', { hasText: 'Installed' }).waitFor()
  // scrollable regions are reachable
  await keyboard.focus(page.getByRole('log'))
})

async function chooseHost(keyboard: KeyboardDriver): Promise<void> {
  const { page } = keyboard
  await keyboard.press(page.getByRole('button', { name: /^Destination/ }))
  await page.getByRole('option', { name: /this-node/ }).waitFor()
  await page.keyboard.insertText('this-node')
  await keyboard.keys('ArrowDown', 'Enter')
}

async function choose(keyboard: KeyboardDriver, input: Locator, file: string): Promise<void> {
  const chooser = keyboard.page.waitForEvent('filechooser')
  await keyboard.press(input)
  await (await chooser).setFiles(file)
}

testLong('by keyboard: a host is added', async (t) => {
  const [host] = (await startHosts(reverseCleanup(t), 1)) as [TestHost]
  const keyboard = await openWithKeyboard(t, 'hosts')
  const { page } = keyboard
  await keyboard.press(page.getByRole('button', { name: 'Add a host' }).first())
  await page.getByRole('heading', { name: 'Add a host', level: 1 }).waitFor()
  await keyboard.write(page.getByLabel('Address'), host.address)
  await keyboard.write(page.getByLabel('SSH port'), String(host.port))
  await keyboard.write(page.getByRole('textbox', { name: 'Name', exact: true }), 'by-keyboard')
  await keyboard.write(page.getByLabel('User'), host.username)
  await keyboard.focus(page.getByRole('radio', { name: /Key of this server/ }))
  await keyboard.keys('ArrowDown')
  await keyboard.write(page.getByLabel('Private key'), host.privateKey)
  await keyboard.press(page.getByRole('button', { name: 'Get host key' }))
  await page.getByText(host.hostKeyFingerprint).waitFor()
  await keyboard.press(page.getByRole('button', { name: 'Trust key and add host' }))
  await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor()
})

testLong('by keyboard: the wizard to its end, and the error of the server for unknown hosts', async (t) => {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const place = { hostUuid, managementNodeUuid, installPath: `${folder}/cluster.tar` }
  const url = source.serve('cluster.tar', clusterPackage())
  const params = { name: 'etcd', type: 'storage', url, ...place }
  const { body } = await server.admin.post('/v1/software-packages/upload', { params })
  const { uuid } = body.inventory as { uuid: string }
  await server.admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} })

  const keyboard = await openWithKeyboard(t, 'clusters', [/status of [45]\d\d/])
  const { page } = keyboard
  const next = page.getByRole('button', { name: 'Next' })
  await keyboard.press(page.getByRole('button', { name: 'Add a cluster' }).first())
  await keyboard.write(page.getByRole('textbox', { name: 'Name', exact: true }), 'storage')
  await keyboard.press(next)
  await keyboard.press(page.getByRole('button', { name: /^Package/ }))
  await page.getByRole('option', { name: /etcd/ }).waitFor()
  await page.keyboard.insertText('etcd')
  await keyboard.keys('ArrowDown', 'Enter')
  await keyboard.press(next)
  for (const [label, value] of Object.entries({
    'First node': '10.0.0.11',
    'Second node': '10.0.0.12',
    'Third node': '10.0.0.13',
    'Management network': '10.0.0.0/24',
    'Public network': '10.1.0.0/24',
    'Cluster network': '10.2.0.0/24',
  }))
    await keyboard.write(page.getByLabel(label), value)
  await keyboard.press(next)
  await page.getByText('Node 10.0.0.13 is not a managed host').waitFor()
  await keyboard.press(page.getByRole('button', { name: 'Create cluster' }))
  await page
    .getByRole('alert')
    .getByText(/^\w+\.\d+ · /)
    .waitFor()
})

testLong('by keyboard: an error is explained', async (t) => {
  const keyboard = await openWithKeyboard(t, 'explain')
  const { page } = keyboard
  await keyboard.write(page.getByRole('textbox', { name: 'Error' }), 'connect to host 10.0.0.7: Connection refused')
  await page.getByRole('heading', { name: /^\w+\.\d+$/, level: 3 }).waitFor()
  // the explanation is a link
  assert.match(page.url(), /#\/explain\?text=connect/)
})

test('by keyboard: a job is cancelled', async (t) => {
  const job = await TrialJob.start(server.admin, { trace: join(folder, 'trace'), holdAt: 'run second' })
  const keyboard = await openWithKeyboard(t, 'jobs')
  const { page } = keyboard
  await keyboard.press(page.getByRole('link', { name: 'StartDemo' }).first())
  await page.getByRole('log').getByText('run second').waitFor()
  const cancel = page.getByRole('button', { name: 'Cancel job' })
  await keyboard.press(cancel)
  await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }))
  await page.getByRole('definition').getByText('Cancelled', { exact: true }).waitFor()
  assert.equal(await cancel.getAttribute('aria-disabled'), 'true')
  assert.equal((await job.row()).state, 'Cancelled')
  // the completed step was undone
  assert.match((await job.log()).join('\n'), /undo first/)
})

testLong(
  'by keyboard: a chat group is added, a mention is seen in its preview, and a test and an example are sent',
  async (t) => {
    // the preview shows an alert of a platform
    await AlertPlatformFixture.create(server)
    const keyboard = await openWithKeyboard(t, 'chat')
    const { page } = keyboard
    await keyboard.press(page.getByRole('button', { name: 'Add endpoint' }).first())
    await keyboard.write(page.getByRole('textbox', { name: 'Name', exact: true }), 'Operations')
    await keyboard.write(page.getByLabel('Webhook URL'), receiver.webhookUrl('DingTalk', 'by-keyboard'))
    await page.getByRole('figure').getByText('[Critical] EtcdMemberDown').waitFor()
    await keyboard.press(page.getByLabel('Events of Wharf'))
    await page.getByRole('option', { name: 'Host disconnected' }).waitFor()
    for (const _ of systemEventNames.slice(0, systemEventNames.indexOf('HostDisconnected')))
      await keyboard.keys('ArrowDown')
    await keyboard.keys('Enter', 'Escape')
    await keyboard.press(page.getByRole('button', { name: 'Add endpoint' }))
    await keyboard.press(page.getByRole('button', { name: 'Add person' }).first())
    const dialog = page.getByRole('dialog')
    await keyboard.write(dialog.getByLabel('User ID'), 'not an id')
    await dialog.getByText(/the person is not notified/).waitFor()
    await keyboard.write(dialog.getByLabel('User ID'), '13800138000')
    await keyboard.write(dialog.getByLabel(/^Display name/), 'Anna')
    await keyboard.keys('Enter')
    await page.getByRole('figure').getByText('@Anna').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Send test message' }))
    await page.getByText('DingTalk accepted the test message.').waitFor()
    const [message] = await receiver.waitForMessages('by-keyboard', 1)
    assert.deepEqual(JSON.parse(message?.body ?? '').at.atMobiles, ['13800138000'])
    await keyboard.press(page.getByRole('button', { name: 'Send example' }))
    const [, example] = await receiver.waitForMessages('by-keyboard', 2)
    assert.match(example?.body ?? '', /Host web-1 is disconnected/)
    await keyboard.press(page.getByRole('link', { name: 'Host web-1 is disconnected' }))
    await page.getByRole('definition').getByText('Host disconnected', { exact: true }).waitFor()
  },
)
