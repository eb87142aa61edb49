import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Client,
  installable,
  PackageSource,
  reverseCleanup,
  ServerProcess,
  serverEnvironment,
  startHosts,
  type TestHost,
  TrialJob,
  TrialTrace,
  testEngine,
  trialProgram,
} from '@wharf/testkit'

/** SQLite belongs to one process. */
const onSharedDatabase = testEngine === 'postgres' ? test : () => {}
const pauseMs = 15_000
const takeOverMs = 15_000

/** Nodes as processes of their own on one database. */
async function nodes(t: TestContext, count: number): Promise<ServerProcess[]> {
  const cleanup = reverseCleanup(t)
  const environment = { ...(await serverEnvironment(cleanup)), WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
  const all = Array.from({ length: count }, (_, number) => {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const node = new ServerProcess(number === 0 ? environment : { ...environment, WHARF_DATA: folder }, trialProgram)
    cleanup.after(() => node.kill())
    return node
  })
  // the first one creates the admin
  await all[0]?.start(60_000)
  await Promise.all(all.slice(1).map((node) => node.start(60_000)))
  return all
}

/** The first request gets one half, and the rest at `sendRest`; the others get everything at once. */
class HalfFirst {
  readonly #bytes: Buffer
  readonly requestedAt: number[] = []
  #first: ServerResponse | undefined

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  readonly serve = (response: ServerResponse): void => {
    this.requestedAt.push(performance.now())
    response.writeHead(200, { 'content-length': this.#bytes.length })
    if (this.#first !== undefined) return void response.end(this.#bytes)
    this.#first = response
    response.write(this.#bytes.subarray(0, this.#bytes.length / 2))
  }

  sendRest(): void {
    this.#first?.end(this.#bytes.subarray(this.#bytes.length / 2))
  }
}

async function until<T>(what: string, probe: () => Promise<T | undefined>, withinMs = 30_000): Promise<T> {
  for (const deadline = performance.now() + withinMs; ; await delay(50)) {
    const found = await probe().catch(() => undefined)
    if (found !== undefined && found !== false) return found
    assert.ok(performance.now() < deadline, `timed out: ${what}`)
  }
}

/** The first run hangs until it is ended. Every run, and every effect, is a line. */
const hangsFirst = (folder: string): string => `
cd ${folder}
echo "begin $$" >>trace
if mkdir hangs 2>/dev/null; then (trap '' TERM; ${sleeping('61')}; echo "late $$" >>trace) & ${sleeping('61')}; fi
[ -e effect ] || echo effect >>effect
echo "end $$" >>trace`

/** Distinguishes it from the processes of a parallel test run. */
const sleeping = (seconds: string): string => `sleep ${seconds}.${process.pid}`

onSharedDatabase(
  'jobs of killed or paused nodes are taken over, and a paused node that resumes changes nothing',
  async (t) => {
    const [paused, killed, lasting] = (await nodes(t, 3)) as [ServerProcess, ServerProcess, ServerProcess]
    const cleanup = reverseCleanup(t)
    const [machine] = await startHosts(cleanup, 1)
    assert.ok(machine)
    const folder = (await machine.exec('mktemp -d')).trim()
    cleanup.after(async () => void (await machine.exec(`rm -rf ${folder}`)))
    const source = await PackageSource.start(t)
    const admin = lasting.adminOf(paused)
    const { hostname: name, address, port: sshPort, username, privateKey } = machine
    const host = { name, driver: 'ssh', address, sshPort, username, privateKey }
    const hostUuid = inventoryOf(await admin.post('/v1/hosts', { params: host })).uuid as string
    const upload = (client: Client, node: ServerProcess, file: string, url: string, headers = {}) => {
      const { managementNodeUuid } = node.bootstrap
      const params = { name: file, type: 'demo', hostUuid, managementNodeUuid, installPath: `${folder}/${file}`, url }
      return client.post('/v1/software-packages/upload', { params }, headers)
    }
    const hooked = source.serve('hooked', installable({ hooks: { install: hangsFirst(folder) } }))
    const installed = inventoryOf(await upload(admin, lasting, 'hooked', hooked)).uuid as string

    const endless = installable({ hooks: { install: `mkdir ${folder}/started; ${sleeping('62')}` } })
    const given = await upload(admin, lasting, 'endless', source.serve('endless', endless))
    const unwanted = inventoryOf(given).uuid as string

    const async = { prefer: 'respond-async' }
    const bytes = randomBytes(4_000_000)
    const half = new HalfFirst(bytes)
    const uploading = locationOf(await upload(paused.admin, paused, 'big', source.serve('big', half.serve), async))
    const install = async (uuid: string): Promise<string> => {
      const action = `/v1/software-package/install/${uuid}/actions`
      return locationOf(await paused.admin.put(action, { installSoftwarePackage: {} }, async))
    }
    const installing = await install(installed)
    const cancelled = await install(unwanted)
    const trace = new TrialTrace(t)
    const demo = await TrialJob.start(killed.adminOf(paused), {
      trace: trace.file,
      holdAt: 'run second',
      recordPid: true,
    })
    await until('the transfer has started', () => machine.exec(`cd ${folder} && ls big.*.part hangs started`))
    await demo.waitFor('currentStep', 'second')

    const startedAt = performance.now()
    paused.send('SIGSTOP')
    await killed.kill()
    trace.release()
    assert.equal((await admin.delete(cancelled.replace(/\?.*/, ''))).status, 200)
    await until('another node requests the file', async () => half.requestedAt[1], pauseMs + 10_000)
    await until('another node runs the hook', async () => (await linesOn(machine, folder)).length > 1 || undefined)
    assert.ok(
      performance.now() - startedAt < takeOverMs,
      `the jobs were taken over after ${performance.now() - startedAt} ms`,
    )
    assert.equal((await demo.seenBy(admin).waitForEnd(takeOverMs)).status, 200)
    for (const job of [uploading, installing])
      assert.equal((await new TrialJob(admin, `${admin.url}${job}`).waitForEnd(30_000)).status, 200)
    const end = await new TrialJob(admin, `${admin.url}${cancelled}`).waitForEnd(30_000)
    assert.match(end.text, /SYS\.1017/)
    assert.doesNotMatch(await machine.exec('ps -e -o stat= -o args='), new RegExp(`^[^Z].*${sleeping('62')}`, 'm'))
    const before = {
      files: await machine.exec(`ls -A ${folder}`),
      rows: await rowsOf(admin),
      lines: await linesOn(machine, folder),
    }

    await delay(Math.max(0, startedAt + pauseMs - performance.now()))
    half.sendRest()
    paused.send('SIGCONT')
    await until(
      'the paused node answers again',
      async () => (await paused.admin.get('/v1/hosts')).status === 200 || undefined,
    )
    await delay(3000)
    const after = {
      files: await machine.exec(`ls -A ${folder}`),
      rows: await rowsOf(admin),
      lines: await linesOn(machine, folder),
    }
    assert.deepEqual(after, before)
    const md5 = createHash('md5').update(bytes).digest('hex')
    assert.match(await machine.exec(`md5sum ${folder}/big`), new RegExp(`^${md5} `))
    assert.equal(await machine.exec(`cat ${folder}/effect`), 'effect\n')
    assert.deepEqual(
      after.lines.map((line) => line.split(' ')[0]),
      ['begin', 'begin', 'end'],
    )
    assert.doesNotMatch(after.files, /part|unpacking/)
    assert.doesNotMatch(await machine.exec('ps -e -o stat= -o args='), new RegExp(`^[^Z].*${sleeping('61')}`, 'm'))
    assert.deepEqual(await ownersOn(machine, [uploading, installing, cancelled]), ['owner-2'])
    assert.deepEqual(
      trace.lines,
      ['run first', 'run second', 'run third'].map(
        (what, index) => `${what} by ${(index === 0 ? killed : lasting).pid}`,
      ),
    )
    assert.doesNotMatch(`${paused.stdout}${lasting.stdout}`, /an internal error|failed to finish/)
  },
)

const inventoryOf = ({ body, text, status }: Awaited<ReturnType<Client['get']>>): Record<string, unknown> => {
  assert.equal(status, 200, text)
  return body.inventory as Record<string, unknown>
}

const locationOf = ({ body, text, status }: Awaited<ReturnType<Client['get']>>): string => {
  assert.equal(status, 202, text)
  const { pathname, search } = new URL(String(body.location))
  return pathname.slice(pathname.indexOf('/v1/')) + search
}

const linesOn = async (machine: TestHost, folder: string): Promise<string[]> =>
  (await machine.exec(`cat ${folder}/trace`)).split('\n').slice(0, -1)

/** The files on the host that record the owners of these jobs; other tests may have left more. */
async function ownersOn(machine: TestHost, jobs: readonly string[]): Promise<string[]> {
  const records = machine.username === 'root' ? '/run/wharf-jobs' : '~/.wharf-jobs-$(uname -n)'
  const uuids = jobs.map((location) => /[0-9a-f]{32}/.exec(location)?.[0] ?? '')
  const names = (await machine.exec(`ls ${records}`)).split('\n').filter((name) => uuids.includes(name.slice(0, 32)))
  return [...new Set(names.map((name) => /(run|owner)-\d+/.exec(name)?.[0] ?? name))]
}

/** The records that the jobs change. */
async function rowsOf(admin: Client): Promise<unknown> {
  const jobs = (await admin.get('/v1/api-jobs?sort=+uuid')).body.inventories
  const packages = (await admin.get('/v1/software-package?sort=+uuid')).body.inventories
  return { jobs, packages }
}
