import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { reverseCleanup, runProgram, startHosts, type TestHost } from '@wharf/testkit'

let host: TestHost
const cleanup = reverseCleanup({ after })
/** Of these processes alone, as every other one that starts would remove what a killed one left. Its path is short enough for sockets. */
const runtimeFolder = mkdtempSync('/tmp/wharf-')
after(() => rmSync(runtimeFolder, { recursive: true }))
before(async () => {
  ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
})

/** A process that opens a driver and does this with it; it prints its private folder once it is busy. */
async function startBusy(kind: 'ssh' | 'local', work: string): Promise<{ pid: number; folder: string }> {
  const { address, port, username, hostKey, privateKey } = host
  const settings = JSON.stringify({ address, port, username, hostKey, onlyThisKey: true, configFile: 'none' })
  const code = `
    import { readdirSync } from 'node:fs'
    import { Readable } from 'node:stream'
    import { openLocalDriver } from '${import.meta.resolve('./local-driver.ts')}'
    import { createPrivateFolder } from '${import.meta.resolve('../../../../ssh/src/private-folder.ts')}'
    import { openSshDriver } from '${import.meta.resolve('./ssh-driver.ts')}'
    import { Secret } from '${import.meta.resolve('../../../../platform/src/secret.ts')}'
    const { signal } = new AbortController()
    const ssh = () => openSshDriver({ ...${settings}, privateKey: Secret.of(${JSON.stringify(privateKey)}) })
    const driver = '${kind}' === 'ssh' ? ssh() : openLocalDriver()
    const folder = await createPrivateFolder()
    const busy = () => console.log(folder)
    const endless = new Readable({ read: () => void setImmediate(() => endless.push(Buffer.alloc(65536))) })
    ${work}`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_RUNTIME_DIR: runtimeFolder },
  })
  const [line] = await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, folder: String(line).trim() }
}

const processesOf = {
  ssh: () => host.exec('ps -e -o stat= -o args='),
  local: () => runProgram('ps', ['-e', '-o', 'stat=', '-o', 'args=']),
}

async function until(holds: () => Promise<boolean>, limitMs: number): Promise<void> {
  for (const began = performance.now(); !(await holds()); await delay(50))
    assert.ok(performance.now() - began < limitMs, 'it takes too long')
}

for (const kind of ['ssh', 'local'] as const) {
  test(`a program of a killed server ends automatically (${kind})`, async () => {
    const stubborn = `trap "" TERM; sleep 51.${kind.length} & echo up; while :; do sleep 51.${kind.length}; done`
    const work = `await driver.run(['sh', '-c', ${JSON.stringify(stubborn)}], { signal, onLine: busy })`
    const { pid } = await startBusy(kind, work)
    assert.match(await processesOf[kind](), new RegExp(`sleep 51.${kind.length}`))
    process.kill(pid, 'SIGKILL')
    const isGone = async () => !new RegExp(`^[^Z].*sleep 51.${kind.length}`, 'm').test(await processesOf[kind]())
    await until(isGone, 5000)
  })
}

test('a killed server leaves neither an incomplete file nor a connection', async () => {
  const file = `wharf-killed-${process.pid}`
  const work = `setTimeout(busy, 1500); await driver.put(endless, '/var/tmp/${file}', { signal })`
  const { pid, folder } = await startBusy('ssh', work)
  assert.ok((await host.exec('ls /var/tmp')).includes(file))
  process.kill(pid, 'SIGKILL')
  await until(async () => !(await host.exec('ls /var/tmp')).includes(file), 5000)
  await until(async () => !(await runProgram('ps', ['-e', '-ww', '-o', 'args='])).includes(folder), 5000)
})

test('the next server removes the folder of a killed one, with its keys', async () => {
  const killed = await startBusy('ssh', `await driver.ping({ signal }); busy(); setInterval(() => {}, 1000)`)
  process.kill(killed.pid, 'SIGKILL')
  await delay(100)
  assert.ok(existsSync(killed.folder))
  const next = await startBusy('ssh', `await driver.ping({ signal }); busy(); setInterval(() => {}, 1000)`)
  await until(async () => !existsSync(killed.folder), 2000)
  assert.ok(existsSync(next.folder))
  process.kill(next.pid, 'SIGKILL')
})
