import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import { reverseCleanup, sshSettingsOf, startHosts, type TestHost } from '@wharf/testkit'
import { SshTransport } from './ssh-transport.ts'

const { signal } = new AbortController()
const cleanup = reverseCleanup({ after })
let host: TestHost
before(async () => {
  ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
})

function transportTo(t: TestContext): SshTransport {
  const transport = new SshTransport(sshSettingsOf(host))
  t.after(() => transport.close())
  return transport
}

/** The ssh processes that this one has started. */
function sshProcesses(): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const isOurs = (pid: string): boolean => {
    try {
      const [, name, rest = ''] = /\((.*)\) . (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'ssh' && Number(rest) === process.pid
    } catch {
      // it has ended
      return false
    }
  }
  return processes.filter(isOurs).map(Number)
}

test('many programs need one ssh process', async (t) => {
  const transport = transportTo(t)
  for (let number = 0; number < 20; number++) {
    const program = await transport.open(['sh', '-c', `exit ${number}`], signal)
    assert.equal(sshProcesses().length, 1)
    assert.equal(await program.ended, number)
  }
})

test('large input and output of concurrent programs arrive unchanged', async (t) => {
  const transport = transportTo(t)
  const copies = Array.from({ length: 4 }, async () => {
    const bytes = randomBytes(3_000_000)
    const program = await transport.open(['cat'], signal)
    program.stdin.end(bytes)
    assert.ok(bytes.equals(await buffer(program.stdout)))
    assert.equal(await program.ended, 0)
  })
  await Promise.all(copies)
})

test('when its ssh process is killed, its programs end at once, and the next one has a new connection', async (t) => {
  const transport = transportTo(t)
  const program = await transport.open(['sleep', '44'], signal)
  const [pid] = sshProcesses()
  const writing = setInterval(() => program.stdin.write('x'.repeat(10_000)), 1)
  process.kill(pid as number, 'SIGKILL')
  const began = performance.now()
  assert.equal(await program.ended, null)
  clearInterval(writing)
  assert.ok(performance.now() - began < 2000)
  const next = await transport.open(['true'], signal)
  assert.equal(await next.ended, 0)
})

test('a program whose connection ends before it has started gets another connection', async (t) => {
  const transport = transportTo(t)
  const first = await transport.open(['true'], signal)
  assert.equal(await first.ended, 0)
  const [pid] = sshProcesses()
  process.kill(pid as number, 'SIGSTOP')
  const opening = transport.open(['true'], signal)
  setTimeout(() => process.kill(pid as number, 'SIGKILL'), 100)
  assert.equal(await (await opening).ended, 0)
})
