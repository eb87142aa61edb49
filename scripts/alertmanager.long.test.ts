import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ChatReceiver, hostsNeedRoot, reverseCleanup, TestServer } from '@wharf/testkit'
import { freePort } from '../packages/testkit/src/free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const isDebian = spawnSync('apt-get', ['--version']).status === 0
const skip = isDebian ? hostsNeedRoot : 'needs Debian, whose Alertmanager it runs'

/** Alertmanager reads its templates from a fixed path: a private mount provides them. */
const withTemplates = 'mount -t overlay overlay -o "lowerdir=$0/usr/share:/usr/share" /usr/share'

/** Debian's Alertmanager, fetched and unpacked: the example package of a cluster contains the same version. */
async function unpackAlertmanager(folder: string): Promise<string> {
  await promisify(execFile)('sh', ['build.sh', folder], { cwd: join(root, 'examples/packages/etcd-cluster') })
  const [deb = ''] = globSync(join(folder, 'debs/prometheus-alertmanager_*.deb'))
  await promisify(execFile)('dpkg-deb', ['--extract', deb, folder])
  return join(folder, 'usr/bin')
}

test('docs/alerts-and-chat.md: a plain Alertmanager, without a cluster, reaches the chat', { skip }, async (t) => {
  const cleanup = reverseCleanup(t)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-alertmanager-'))
  cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
  const programs = await unpackAlertmanager(folder)
  const chat = await ChatReceiver.start(cleanup)
  const server = await TestServer.start(cleanup, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' } })
  const { url, accessKeyId, accessKeySecret } = server.bootstrap
  const hook = { name: 'ops', type: 'DingTalk', url: chat.webhookUrl('DingTalk', 'ops') }
  await server.admin.post('/v1/sns/application-endpoints/chatapp', { params: hook })

  const page = readFileSync(join(root, 'docs/alerts-and-chat.md'), 'utf8')
  const commands = /```sh alertmanager\n(.*?)```/s.exec(page)?.[1] ?? 'false'
  const workFolder = join(folder, 'place')
  mkdirSync(workFolder)
  // in its own process group, so that the Alertmanager that it starts ends with it
  const script = `${withTemplates}\n${commands.replaceAll(':9093', `:${await freePort('127.0.0.1')}`)}`
  const shell = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-euc', script, folder], {
    cwd: workFolder,
    detached: true,
    env: {
      ...process.env,
      HOME: folder,
      PATH: [join(root, 'bin'), programs, process.env.PATH].join(delimiter),
      WHARF_URL: url,
      WHARF_ACCESS_KEY_ID: accessKeyId,
      WHARF_ACCESS_KEY_SECRET: accessKeySecret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanup.after(async () => void spawnSync('kill', ['-s', 'KILL', '--', `-${shell.pid}`]))
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(shell, 'exit', { signal: AbortSignal.timeout(120_000) }).catch(() => ['timed out'])
  assert.equal(code, 0, output)
  assert.match(output, /DiskFull +firing +critical/)
  const [message] = await chat.waitForMessages('ops', 1)
  assert.match(message?.body ?? '', /DiskFull[\s\S]*\/var is full/)
})
