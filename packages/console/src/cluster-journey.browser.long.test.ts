import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, type TestContext, test } from 'node:test'
import {
  accessibilityFaults,
  authorizeEachOther,
  HostAnnouncer,
  hostsNeedRoot,
  interfaceTo,
  KeyboardDriver,
  PackageSource,
  reverseCleanup,
  SharedPage,
  startConsole,
  startHosts,
  TestBrowser,
  type TestHost,
  type TestServer,
} from '@wharf/testkit'
import { clusterOn, clusterPackage } from '../../testkit/src/packages/cluster-package.ts'

suite('from candidate hosts to a cluster', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let machines: readonly TestHost[]
  let server: TestServer
  let shared: SharedPage

  before(async () => {
    machines = await startHosts(cleanup, 3)
    const [first] = machines as [TestHost]
    const WHARF_DISCOVERY = interfaceTo(first)
    server = await startConsole(cleanup, {
      environment: { WHARF_DISCOVERY, WHARF_PUBLIC_URL: 'http://198.18.255.1:8080' },
    })
    // in what people have; the short form shares the browser of the other tests
    const browser = await TestBrowser.start(cleanup, process.env.TEST_LONG ? { hasWindows: true } : {})
    shared = await SharedPage.signIn(cleanup, browser, server)
    await authorizeEachOther(machines)
    // all hosts accept the key of the server
    const keys = join(server.environment.WHARF_DATA ?? '', 'ssh')
    mkdirSync(keys, { recursive: true })
    writeFileSync(join(keys, 'id_ed25519'), first.privateKey, { mode: 0o600 })
  })

  test('by keyboard: a machine that announces itself is added with two keys, its key in view', async (t) => {
    const [first] = machines as [TestHost]
    await HostAnnouncer.start(t, first, ['--sn', 'SN-1', '--manufacturer', 'Wharf', '--product', 'Test host'])
    const keyboard = new KeyboardDriver(await shared.open(t, 'hosts/candidates'))
    const { page } = keyboard
    await keyboard.skipToContent()
    await page.getByRole('row', { name: /SN-1/ }).waitFor()
    await keyboard.press(page.getByRole('button', { name: `Add ${first.hostname}` }))
    await page.getByText(first.hostKeyFingerprint).waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Trust key and add host' }))
    await page.getByRole('heading', { name: first.hostname, level: 1 }).waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.goto(`${server.url}/#/hosts/candidates`)
    await page.getByText('No candidates.').waitFor()
    const { body } = await server.admin.get('/v1/api-jobs?fields=operation,state')
    assert.deepEqual(body.inventories, [{ operation: 'AddHost', state: 'Succeeded' }])
  })

  test('the wizard leads to a cluster on three hosts, and its diagram shows when one of them dies', async (t) => {
    const [first, second, third] = machines as [TestHost, TestHost, TestHost]
    await addHost(server, second)
    const thirdUuid = await addHost(server, third)
    await installCluster(t, server, first)
    const { managementNetworkCidr } = clusterOn(machines)

    const page = await shared.open(t, 'clusters', [/status of 400/])
    await page.getByRole('button', { name: 'Add a cluster' }).first().click()
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await page.getByText('Required').waitFor()
    await page.getByLabel('Name').fill('storage')
    await next.click()
    await page.getByRole('button', { name: /^Package/ }).click()
    await page.getByRole('option', { name: /cluster/ }).click()
    await next.click()
    assert.equal(await page.getByLabel('First node').inputValue(), first.address)
    for (const [label, value] of [
      ['Second node', second.address],
      ['Third node', second.address],
      ['Management network', managementNetworkCidr],
      ['Public network', managementNetworkCidr],
      ['Cluster network', managementNetworkCidr],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByText(`${second.address} is a duplicate; nodes must be different`).first().waitFor()
    await page.getByLabel('Third node').fill(third.address)
    await next.click()
    await page.getByText(`First node ${first.address} is the host of the package`).waitFor()
    await page.getByText(`Node ${third.address} is host ${third.hostname}, Connected`).waitFor()
    await page.getByRole('button', { name: 'Create cluster' }).click()

    await page.getByRole('heading', { name: 'storage', level: 1 }).waitFor()
    await page.getByText('Initialized', { exact: true }).waitFor()
    const diagram = page.getByRole('img', { name: `Diagram: nodes ${first.address}` })
    await diagram.waitFor()
    assert.match(await first.exec('cat /var/lib/cluster/trace'), new RegExp(`^initialise .*${third.address}`))

    await page.getByRole('button', { name: 'Receive alerts' }).click()
    const template = page.getByLabel('Message template')
    await template.fill('{{ alert.name }} is {{ alert.status }')
    await page.getByRole('alert').waitFor()
    await template.fill('{{ alert.name }} is {{ alert.status }}')
    await page.getByText(/\w+ is firing/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Template saved.').waitFor()
    // the page with all of its sections
    await page.evaluate(() => document.body.classList.add('awsui-dark-mode'))
    assert.deepEqual(await accessibilityFaults(page), [])

    assert.equal(await diagram.locator('.node.away').count(), 0)
    await third.kill()
    await server.admin.put(`/v1/hosts/${thirdUuid}/actions`, { reconnectHost: {} })
    // without any interaction with the page
    await page.getByRole('img', { name: `${third.address} (Disconnected)` }).waitFor()
    await diagram.locator('.node.away').waitFor()
  })
})

async function addHost(server: TestServer, host: TestHost): Promise<string> {
  const { address, hostname: name, username, port: sshPort } = host
  const params = { name, driver: 'ssh', address, username, sshPort }
  const { body, text } = await server.admin.post('/v1/hosts', { params })
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}

async function installCluster(t: TestContext, server: TestServer, host: TestHost): Promise<void> {
  const { admin, bootstrap } = server
  const { body: hosts } = await admin.get(`/v1/hosts?q=address=${host.address}`)
  const [{ uuid: hostUuid = '' } = {}] = hosts.inventories as { uuid: string }[]
  const source = await PackageSource.start({ after: (work) => t.after(work) })
  const url = source.serve('cluster.tar', clusterPackage())
  const { managementNodeUuid } = bootstrap
  const place = { hostUuid, managementNodeUuid, installPath: '/opt/cluster.tar' }
  const uploaded = await admin.post('/v1/software-packages/upload', {
    params: { name: 'cluster', type: 'storage', url, ...place },
  })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid } = uploaded.body.inventory as { uuid: string }
  const installed = await admin.put(`/v1/software-package/install/${uuid}/actions`, { installSoftwarePackage: {} })
  assert.equal(installed.status, 200, installed.text)
}
