// `npm run demo`: Wharf in two minutes. Three hosts, a cluster on them, a host that is lost, and the message about it.
// Everything is real and stays on this machine; what it made is gone when it ends, also after Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type UploadProgress, Wharf } from '@wharf/sdk'
import {
  authorizeEachOther,
  ChatReceiver,
  hostsNeedRoot,
  ServerProcess,
  startHosts,
  type TestHost,
} from '@wharf/testkit'
import { buildPackage } from './build-packages.ts'
import { ensureComponents } from './components.ts'
import { DemoCleanup } from './demo-cleanup.ts'
import { DemoScreen } from './demo-screen.ts'

const messageMs = 60_000
const onCall = { type: 'DingTalk', userId: '13800138000' } as const
const maxSettleMs = 30_000
const screen = new DemoScreen(process.stdout, () => void stop(0))
const cleanup = new DemoCleanup((error) => {
  process.exitCode = 1
  screen.say(`Something was not removed: ${messageOf(error)}`)
})
let isStopped = false
/** What is being made right now registers its removal when it is there, or removes itself when it fails. */
let making: Promise<unknown> = Promise.resolve()
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }))
  process.on(signal, () => void stop(128 + number))
// nobody reads errors either, as in `npm run demo 2>&1 | head`
process.stderr.on('error', () => {})

await tour().catch((error: unknown) => {
  if (isStopped) return
  screen.say(`\nThe tour stopped: ${messageOf(error)}`)
  process.exitCode = 1
})
if (!isStopped) await screen.step('all that it made is taken away', () => cleanup.end())

/** Removes what there is, waits for what is being made, and removes that too. */
async function stop(exitCode: number): Promise<void> {
  if (isStopped) return
  isStopped = true
  await cleanup.end()
  await Promise.race([making.catch(() => {}), delay(maxSettleMs)])
  await cleanup.end()
  process.exit(exitCode)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Nothing new is started once the tour is stopped. */
function step<T>(title: string, work: (tell: (how: string) => void) => Promise<T>): Promise<T> {
  if (isStopped) throw new Error('the tour is stopped')
  return screen.step(title, work)
}

function make<T>(title: string, work: () => Promise<T>): Promise<T> {
  const made = step(title, work)
  making = made
  return made
}

async function tour(): Promise<void> {
  const hasNetworks = hostsNeedRoot === false
  const missing = ensureComponents(['ssh', 'sshd', ...(hasNetworks ? ['ip', 'unshare'] : ['ps'])])
  if (missing.length > 0) throw new Error(`it needs ${missing.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-demo-'))
  cleanup.after(() => rmSync(folder, { recursive: true, force: true }))
  screen.say('\nA tour of Wharf. Hosts, packages, a cluster, a chat: all of it on this machine.\n')

  const machines = await make('three hosts start, each with its own sshd', () => startHosts(cleanup, 3))
  const [first, , third] = machines as [TestHost, TestHost, TestHost]
  const { server, wharf } = await make('Wharf starts', () => start(folder, hasNetworks ? first : undefined))
  const chat = await make('a chat listens', () => ChatReceiver.start(cleanup))
  screen.say(`    the console is at ${server.bootstrap.url}/ while the tour lasts: admin, ${server.bootstrap.password}`)

  const hosts = await step('the hosts are added', async (tell) => {
    const added: string[] = []
    for (const [index, { address, port: sshPort, username, privateKey }] of machines.entries()) {
      tell(`${address}, its key pinned`)
      const name = `host-${index + 1}`
      const { inventory } = await wharf.hosts.add({ name, driver: 'ssh', address, sshPort, username, privateKey })
      added.push(inventory.uuid)
    }
    if (hasNetworks) await authorizeEachOther(machines)
    return added
  })
  await step(`a ${onCall.type} group is registered, and who is to be mentioned in it`, async () => {
    const url = chat.webhookUrl(onCall.type, 'group')
    const { inventory } = await wharf.chatEndpoints.create({ name: 'on call', type: onCall.type, url })
    await wharf.atPersons.add({ endpointUuid: inventory.uuid, userId: onCall.userId, remark: 'the one on call' })
  })

  const cluster = hasNetworks
    ? await clusterPackage(folder)
    : new Error('they need hosts with networks of their own, which root has')
  if (cluster instanceof Error) {
    await ship(wharf, folder, await build('hello', folder), hosts[0] ?? '')
    const { inventories = [] } = await wharf.chatEndpoints.query({})
    await wharf.chatEndpoints.test(inventories[0]?.uuid ?? '')
    await showMessage(chat, /./, 'what is sent to the group')
    screen.say(`The cluster and its alarm were left out: ${cluster.message}.`)
    screen.say(`Done in ${screen.took}.`)
    return
  }
  const packageUuid = await ship(wharf, folder, cluster, hosts[0] ?? '')

  await step('a cluster of the three forms, and sends its alerts here', async (tell) => {
    const { inventory } = await wharf.clusterPlugins.add({ name: 'etcd', managementIp: first.address })
    await wharf.clusterPlugins.createAlertPlatform(inventory.uuid, {})
    const cidr = first.address.replace(/\d+$/, '0/24')
    await wharf.clusterPlugins.configure(
      {
        uuid: inventory.uuid,
        softwarePackageUuid: packageUuid,
        otherManagementIp: machines.slice(1).map(({ address }) => address),
        managementNetworkCidr: cidr,
        publicNetworkCidr: cidr,
        clusterNetworkCidr: cidr,
      },
      { onProgress: ({ progress, currentStep }) => tell(`${progress} %, ${currentStep}`) },
    )
  })
  await step(`the cable of host-3 (${third.address}) is pulled`, () => third.linkDown())
  await showMessage(chat, /EtcdMemberDown/, `what is sent to the ${onCall.type} group, in its Markdown`)
  await step('the cable is back', () => third.linkUp())
  await showMessage(chat, /Resolved/i, 'and then')
  screen.say(`Done in ${screen.took}. The README goes on from here: npm start, and your own hosts.`)
}

async function start(folder: string, onNetworkOf: TestHost | undefined) {
  // where the hosts reach this machine
  const host = onNetworkOf?.address.replace(/\d+$/, '1') ?? '127.0.0.1'
  const server = new ServerProcess({
    WHARF_DATA: join(folder, 'data'),
    WHARF_HOST: host,
    WHARF_PORT: '0',
    // the group of this tour is on this machine, which is no address to send to otherwise
    WHARF_DOWNLOAD_ALLOW: '127.0.0.1/32',
  })
  cleanup.after(async () => void (await server.stop()))
  await server.start()
  const { url, accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  return { server, wharf: new Wharf({ url, accessKey: { id, secret } }) }
}

interface Built {
  readonly name: string
  readonly archive: string
}

async function build(name: string, folder: string): Promise<Built> {
  const source = fileURLToPath(new URL(`../examples/packages/${name}`, import.meta.url))
  return { name, archive: await make(`the package ${name} is built`, () => buildPackage(source, folder)) }
}

/** It carries etcd from Debian 12, which not every machine is, and which has to be fetched the first time. */
function clusterPackage(folder: string): Promise<Built | Error> {
  return build('etcd-cluster', folder).catch(() => new Error('their package needs Debian 12 and its archive'))
}

/** Sent in slices, unpacked on the host, installed there. */
async function ship(wharf: Wharf, folder: string, { name, archive }: Built, hostUuid: string): Promise<string> {
  const sent = await step('it is uploaded to host-1', (tell) => {
    const onProgress = ({ phase, sentBytes, totalBytes }: UploadProgress) =>
      tell(`${phase}, ${Math.round((100 * sentBytes) / (totalBytes ?? sentBytes + 1))} %`)
    const installPath = `${hostsNeedRoot ? folder : '/opt'}/packages/${name}.tar.gz`
    const type = name === 'hello' ? 'demo' : 'storage'
    return wharf.upload(archive, { hostUuid, type, installPath, onProgress }).done
  })
  await step('it is installed', (tell) =>
    wharf.softwarePackages.install(
      sent.uuid,
      // where anyone may write
      { config: JSON.stringify(name === 'hello' ? { path: join(folder, 'there') } : {}) },
      { onProgress: ({ progress, currentStep }) => tell(`${progress} %, ${currentStep}`) },
    ),
  )
  return sent.uuid
}

async function showMessage(chat: ChatReceiver, says: RegExp, title: string): Promise<void> {
  const body = await step('a message arrives', async () => {
    for (const until = performance.now() + messageMs; performance.now() < until; await delay(100)) {
      const found = chat.accepted('group').find(({ body }) => says.test(body))
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
  screen.say(`    mentioned: ${at?.atMobiles?.join(', ') ?? 'nobody'}\n`)
}
