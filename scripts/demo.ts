// `npm run demo`: Wharf in two minutes. Three hosts, a cluster on them, a host that is lost, the message about it, and a
// rollout that fails and rolls back.
// Everything is real and stays on this machine. The demo removes what it created when it ends, also after Ctrl-C.
// With `--keep` the server and the hosts run until Ctrl-C, so that the console and the command can be tried with them. With `--sso` they do
// too, and users sign in to the console with an OpenID provider on this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type UploadProgress, Wharf } from '@wharf/sdk'
import {
  authorizeEachOther,
  ChatReceiver,
  freePort,
  hostsNeedRoot,
  IdentityProvider,
  oidcFile,
  ServerProcess,
  startHosts,
  type TestHost,
} from '@wharf/testkit'
import { ensureConsole } from './build-console.ts'
import { buildPackage } from './build-packages.ts'
import { ensureComponents } from './components.ts'
import { DemoCleanup } from './demo-cleanup.ts'
import { failingRollout, hostFolder, showFailedRollout } from './demo-rollout.ts'
import { DemoScreen } from './demo-screen.ts'

const messageMs = 60_000
const onCall = { type: 'DingTalk', userId: '13800138000' } as const
const maxSettleMs = 30_000
const dayMs = 24 * 60 * 60_000
const {
  values: { keep, sso },
} = parseArgs({ options: { keep: { type: 'boolean', default: false }, sso: { type: 'boolean', default: false } } })
/** Of the demo's provider, with the group that decides the role. */
const ssoUsers = { alice: ['admins'], bob: ['operators'], carol: [] }
// a demo that keeps running is tried in the console
if (keep || sso) await ensureConsole()
const screen = new DemoScreen(process.stdout, () => void stop(0))
const cleanup = new DemoCleanup((error) => {
  process.exitCode = 1
  screen.print(`cleanup failed: ${messageOf(error)}`)
})
let isStopped = false
/** The resource being created: it registers its cleanup when it exists, or cleans up when it fails. */
let creating: Promise<unknown> = Promise.resolve()
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }))
  process.on(signal, () => void stop(128 + number))
// standard error may be closed too, as in `npm run demo 2>&1 | head`
process.stderr.on('error', () => {})

await runDemo()
  .then(async (data) => {
    if ((keep || sso) && !isStopped) await waitForStop(data)
  })
  .catch((error: unknown) => {
    if (isStopped) return
    screen.print(`\nThe demo failed: ${messageOf(error)}`)
    process.exitCode = 1
  })
if (!isStopped) await screen.step('everything is removed', () => cleanup.end())

/** Removes what exists, waits for what is being created, and removes that too. */
async function stop(exitCode: number): Promise<void> {
  if (isStopped) return
  isStopped = true
  await cleanup.end()
  await Promise.race([creating.catch(() => {}), delay(maxSettleMs)])
  await cleanup.end()
  process.exit(exitCode)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** No step starts after the demo was stopped. */
function step<T>(title: string, work: (report: (progress: string) => void) => Promise<T>): Promise<T> {
  if (isStopped) throw new Error('the demo was stopped')
  return screen.step(title, work)
}

function create<T>(title: string, work: () => Promise<T>): Promise<T> {
  const created = step(title, work)
  creating = created
  return created
}

/** The signal that ends the wait also removes everything. */
function waitForStop(data: string): Promise<never> {
  if (sso) {
    screen.print(
      '\nSingle sign-on: open the console and choose "Sign in with the demo provider". Its page lists the users:',
    )
    screen.print('    alice is an admin, bob an operator; carol is in no group, so she is refused.')
  }
  screen.print('\nThe server and the hosts keep running. Try them in another terminal:')
  screen.print(`\n    export WHARF_DATA=${data}\n    bin/wharf job list\n    bin/wharf host list\n    bin/wharf open\n`)
  screen.print('Press Ctrl-C to remove everything.')
  // an open handle, so that the process does not end
  return new Promise(() => setInterval(() => {}, dayMs))
}

/** Returns the data folder of the server. */
async function runDemo(): Promise<string> {
  const hasNetworks = hostsNeedRoot === false
  const missing = ensureComponents(['ssh', 'sshd', ...(hasNetworks ? ['ip', 'unshare'] : ['ps'])])
  if (missing.length > 0) throw new Error(`missing programs: ${missing.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-demo-'))
  cleanup.after(() => rmSync(folder, { recursive: true, force: true }))
  screen.print('\nWharf demo: hosts, packages, a cluster, a chat and a rollout, all on this machine.\n')

  const machines = await create('three hosts start, each with its own sshd', () => startHosts(cleanup, 3))
  const [first, , third] = machines as [TestHost, TestHost, TestHost]
  const { server, wharf } = await create('Wharf starts', () => start(folder, hasNetworks ? first : undefined))
  const chat = await create('a chat server starts', () => ChatReceiver.start(cleanup))
  screen.print(
    `    console during the demo: ${server.bootstrap.url}/, user admin, password ${server.bootstrap.password}`,
  )

  const hosts = await step('the hosts are added', async (report) => {
    const added: string[] = []
    for (const [index, { address, port: sshPort, username, privateKey }] of machines.entries()) {
      report(`${address}, host key pinned`)
      const name = `host-${index + 1}`
      const access = { driver: 'ssh', address, sshPort, username, privateKey } as const
      const packagesPath = `${hostFolder(folder, name)}/packages`
      const { inventory } = await wharf.hosts.add({ name, ...access, packagesPath, labels: { role: 'web' } })
      added.push(inventory.uuid)
    }
    if (hasNetworks) await authorizeEachOther(machines)
    return added
  })
  await step(`a ${onCall.type} group is registered, with a person to mention`, async () => {
    const url = chat.webhookUrl(onCall.type, 'group')
    const ownEvents = ['RolloutFailed' as const]
    const { inventory } = await wharf.chatEndpoints.create({ name: 'on call', type: onCall.type, url, ownEvents })
    await wharf.atPersons.add({ endpointUuid: inventory.uuid, userId: onCall.userId, remark: 'on call' })
  })

  const cluster = hasNetworks
    ? await clusterPackage(folder)
    : new Error('they need hosts with their own networks, which require root')
  if (cluster instanceof Error) {
    await ship(wharf, folder, await build('hello', folder), hosts[0] ?? '')
    screen.print(`    skipped the cluster and its alert: ${cluster.message}`)
  } else {
    await formCluster(wharf, machines, await ship(wharf, folder, cluster, hosts[0] ?? ''))
    await step(`host-3 (${third.address}) is disconnected from the network`, () => third.linkDown())
    await showMessage(chat, /EtcdMemberDown/, `message to the ${onCall.type} group, in its Markdown`)
    await step('host-3 is connected again', async () => {
      await third.linkUp()
      await wharf.hosts.reconnect(hosts[2] ?? '')
    })
    await showMessage(chat, /Resolved/i, 'next message')
  }
  await showFailedRollout({
    screen,
    step,
    folder,
    data: dataFolder(folder),
    machines,
    onStarted: (end) => cleanup.after(end),
  })
  await showMessage(chat, new RegExp(failingRollout), `message to the ${onCall.type} group`)
  screen.print(`Done in ${screen.elapsed}. Next, in the README: npm start, and your own hosts.`)
  return dataFolder(folder)
}

async function formCluster(wharf: Wharf, machines: readonly TestHost[], softwarePackageUuid: string): Promise<void> {
  await step('the three hosts form a cluster, which sends its alerts to Wharf', async (report) => {
    const [managementIp = '', ...otherManagementIp] = machines.map(({ address }) => address)
    const { inventory } = await wharf.clusterPlugins.add({ name: 'etcd', managementIp })
    await wharf.clusterPlugins.createAlertPlatform(inventory.uuid, {})
    const cidr = managementIp.replace(/\d+$/, '0/24')
    const networks = { managementNetworkCidr: cidr, publicNetworkCidr: cidr, clusterNetworkCidr: cidr }
    await wharf.clusterPlugins.configure(
      { uuid: inventory.uuid, softwarePackageUuid, otherManagementIp, ...networks },
      { onProgress: ({ progress, currentStep }) => report(`${progress}%, ${currentStep}`) },
    )
  })
}

function dataFolder(folder: string): string {
  return join(folder, 'data')
}

async function start(folder: string, onNetworkOf: TestHost | undefined) {
  // the address at which the hosts reach this machine
  const host = onNetworkOf?.address.replace(/\d+$/, '1') ?? '127.0.0.1'
  const port = sso ? await freePort(host) : 0
  const server = new ServerProcess({
    WHARF_DATA: dataFolder(folder),
    WHARF_HOST: host,
    WHARF_PORT: String(port),
    ...(sso ? { WHARF_OIDC_FILE: await startProvider(`http://${host}:${port}`) } : {}),
    // the chat server is on this machine, whose addresses are refused otherwise
    WHARF_DOWNLOAD_ALLOW: '127.0.0.1/32',
  })
  cleanup.after(async () => void (await server.stop()))
  await server.start()
  const { url, accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  return { server, wharf: new Wharf({ url, accessKey: { id, secret } }) }
}

/** Returns the file for WHARF_OIDC_FILE. */
async function startProvider(origin: string): Promise<string> {
  const wharfUrls = [`${origin}/wharf`, origin]
  const { issuer } = await IdentityProvider.start(cleanup, { id: 'demo', wharfUrls, users: ssoUsers })
  const rule = { claim: 'groups', account: 'admin' }
  const rules = [
    { ...rule, value: 'admins', role: 'admin' },
    { ...rule, value: 'operators', role: 'operator' },
  ]
  return oidcFile(cleanup, [{ id: 'demo', label: 'Sign in with the demo provider', issuer, rules }])
}

interface Built {
  readonly name: string
  readonly archive: string
}

async function build(name: string, folder: string): Promise<Built> {
  const source = fileURLToPath(new URL(`../examples/packages/${name}`, import.meta.url))
  return { name, archive: await create(`the package ${name} is built`, () => buildPackage(source, folder)) }
}

/** The package contains etcd from Debian 12, which is downloaded the first time. */
function clusterPackage(folder: string): Promise<Built | Error> {
  return build('etcd-cluster', folder).catch(() => new Error('their package needs Debian 12 and its package archive'))
}

/** Uploads the package in slices and installs it on the host. */
async function ship(wharf: Wharf, folder: string, { name, archive }: Built, hostUuid: string): Promise<string> {
  const uploaded = await step('the package is uploaded to host-1', (report) => {
    const onProgress = ({ phase, sentBytes, totalBytes }: UploadProgress) =>
      report(`${phase}, ${Math.round((100 * sentBytes) / (totalBytes ?? sentBytes + 1))}%`)
    const installPath = `${hostsNeedRoot ? folder : '/opt'}/packages/${name}.tar.gz`
    const type = name === 'hello' ? 'demo' : 'storage'
    return wharf.upload(archive, { hostUuid, type, installPath, onProgress }).done
  })
  await step('the package is installed', (report) =>
    wharf.softwarePackages.install(
      uploaded.uuid,
      // a folder that any user may write to
      { config: JSON.stringify(name === 'hello' ? { path: join(folder, 'installed') } : {}) },
      { onProgress: ({ progress, currentStep }) => report(`${progress}%, ${currentStep}`) },
    ),
  )
  return uploaded.uuid
}

async function showMessage(chat: ChatReceiver, pattern: RegExp, title: string): Promise<void> {
  const body = await step('a message arrives', async () => {
    for (const until = performance.now() + messageMs; performance.now() < until; await delay(100)) {
      const found = chat.accepted('group').find(({ body }) => pattern.test(body))
      if (found !== undefined) return found.body
    }
    throw new Error(`no message within ${messageMs / 1000} s`)
  })
  const { markdown, text, at } = JSON.parse(body) as Record<
    'markdown' | 'text',
    { text?: string; content?: string }
  > & {
    at?: { atMobiles?: string[] }
  }
  screen.frame(title, `${markdown?.text ?? text?.content ?? body}`)
  screen.print(`    mentioned: ${at?.atMobiles?.join(', ') ?? 'nobody'}\n`)
}
