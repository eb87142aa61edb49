import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Secret } from '@wharf/platform/secret.ts'
import { hostsNeedRoot, reverseCleanup, runProgram, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'

const { signal } = new AbortController()
const noticedMs = 15_000

let one: TestHost
let other: TestHost
const cleanup = reverseCleanup({ after })
before(async () => {
  ;[one, other] = (await startHosts(cleanup, 2, { sshd: ['MaxSessions 4'] })) as [TestHost, TestHost]
})

/** Returns how long it took to fail with this error. */
async function failsWith(code: string, message: RegExp, work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await assert.rejects(work, { code, message })
  return performance.now() - began
}

const bothNamed = (pinned: string, offered: string): RegExp =>
  new RegExp(`Pinned: ${pinned}\\. Offered: ${offered}\\.`.replaceAll('+', '\\+'))

/** A server that accepts connections and sends only this text. */
async function silent(t: TestContext, greeting: string): Promise<{ address: string; port: number }> {
  const server = createServer((socket) => socket.on('error', () => {}).write(greeting)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

describe('a host that must not be used', () => {
  test('has another key than the pinned one: both are named', async (t) => {
    const driver = sshDriverOf(t, one, { hostKey: other.hostKey })
    const both = bothNamed(other.hostKeyFingerprint, one.hostKeyFingerprint)
    await failsWith('HOST.1004', both, driver.ping({ signal }))
    await failsWith('HOST.1004', both, driver.put(Readable.from(['x']), '/tmp/never', { signal }))
    await one.exec('test ! -e /tmp/never')
  })

  test('was reinstalled while a connection was open', async (t) => {
    const again = reverseCleanup(t)
    const [fresh] = (await startHosts(again, 1)) as [TestHost]
    const driver = sshDriverOf(again, fresh)
    await driver.ping({ signal })
    const pinned = fresh.hostKeyFingerprint
    await fresh.replaceHostKey()
    await failsWith('HOST.1004', bothNamed(pinned, fresh.hostKeyFingerprint), driver.ping({ signal }))
  })

  test('refuses the sign-in', async (t) => {
    const makeKey = 'f=$(mktemp -d); ssh-keygen -q -t ed25519 -N "" -f $f/k; cat $f/k; rm -r $f'
    const stranger = Secret.of(await runProgram('sh', ['-c', makeKey]))
    const driver = sshDriverOf(t, one, { privateKey: stranger })
    await failsWith('HOST.1005', /refused the sign-in of .*Permission denied/, driver.ping({ signal }))
  })
})

describe('an unreachable host', { concurrency: true }, () => {
  test('refuses connections', async (t) => {
    assert.ok((await failsWith('HOST.1003', /refused/, sshDriverOf(t, one, { port: 1 }).ping({ signal }))) < 3000)
  })

  test('has a name without an address', async (t) => {
    const unresolvable = sshDriverOf(t, one, { address: 'nowhere.invalid' })
    await failsWith('HOST.1003', /resolve/i, unresolvable.ping({ signal }))
  })

  test('accepts and never answers: detected in 15 s, while another host works', async (t) => {
    const driver = sshDriverOf(t, one, await silent(t, ''))
    const failing = failsWith('HOST.1003', /timed out/, driver.ping({ signal }))
    const neighbour = sshDriverOf(t, other)
    for (let times = 0; times < 20; times++) {
      const began = performance.now()
      await neighbour.ping({ signal })
      assert.ok(performance.now() - began < 3000)
      await delay(100)
    }
    assert.ok((await failing) < noticedMs)
  })

  test('sends its greeting and nothing more: detected in 15 s', async (t) => {
    const driver = sshDriverOf(t, one, await silent(t, 'SSH-2.0-OpenSSH_9.2\r\n'))
    assert.ok((await failsWith('HOST.1003', /timed out|did not answer/, driver.ping({ signal }))) < noticedMs)
  })
})

test('closing does not wait for a host that does not answer', async (t) => {
  const driver = sshDriverOf(t, one, await silent(t, ''))
  const failing = failsWith('HOST.1003', /./, driver.ping({ signal }))
  await delay(500)
  const began = performance.now()
  await driver.close()
  assert.ok(performance.now() - began < 1000)
  assert.ok((await failing) < 3000)
})

test('an aborted caller does not end the attempt of others', async (t) => {
  const driver = sshDriverOf(t, other)
  const reason = new Error('enough')
  const stop = new AbortController()
  const impatient = driver.ping({ signal: stop.signal })
  const patient = driver.ping({ signal })
  stop.abort(reason)
  await assert.rejects(impatient, (error) => error === reason)
  await patient
})

test('programs beyond the limit of a connection get their own connection', async (t) => {
  const driver = sshDriverOf(t, one)
  const runs = Array.from({ length: 8 }, async (_, code) => {
    const lines: string[] = []
    const onLine = (line: string): void => void lines.push(line)
    const { exitCode } = await driver.run(['sh', '-c', `sleep 1; exit ${code}`], { signal, onLine })
    return { exitCode, lines }
  })
  assert.deepEqual(
    await Promise.all(runs),
    Array.from({ length: 8 }, (_, exitCode) => ({ exitCode, lines: [] })),
  )
})

test('output of a login shell is not mistaken for that of the program', { skip: hostsNeedRoot }, async (t) => {
  await one.exec(`echo 'echo welcome; printf "no end"; echo trouble >&2' >/root/.bashrc`)
  t.after(() => one.exec('rm /root/.bashrc'))
  const driver = sshDriverOf(t, one)
  const lines: string[] = []
  await driver.run(['echo', 'mine'], { signal, onLine: (line) => void lines.push(line) })
  assert.deepEqual(lines, ['mine'])
  await driver.put(Readable.from(['bytes']), '/var/tmp/wharf-chatter', { signal })
  const bytes: Buffer[] = await driver.get('/var/tmp/wharf-chatter', { signal }).toArray()
  assert.equal(String(Buffer.concat(bytes)), 'bytes')
  await driver.remove('/var/tmp/wharf-chatter', { signal })
})

test('the key is private, and closing leaves nothing', async (t) => {
  const driver = sshDriverOf(t, other)
  await driver.ping({ signal })
  const processes = (await runProgram('ps', ['-e', '-ww', '-o', 'args='])).split('\n')
  const connection = processes.find(
    (args) => args.includes('ControlMaster=yes') && args.includes(`-- ${other.address}`),
  )
  const key = /IdentityFile=(\S+)/.exec(connection ?? '')?.[1] ?? ''
  assert.equal(statSync(key).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(key)).mode & 0o777, 0o700)
  // the first lines of all keys are the same
  const secretLine = other.privateKey.trim().split('\n').at(-2) ?? 'nothing'
  assert.ok(!processes.some((args) => args.includes(secretLine)))

  await driver.close()
  assert.ok(!existsSync(dirname(key)))
  assert.ok(!(await runProgram('ps', ['-e', '-ww', '-o', 'args='])).includes(dirname(key)))
})

for (const [name, sshd] of Object.entries({
  'allows nothing but sftp': ['ForceCommand internal-sftp'],
  'has a login shell that prints its own text': ['ForceCommand echo go away; exit 3'],
}))
  test(`an account that ${name} is distinguished from an unreachable host`, async (t) => {
    const again = reverseCleanup(t)
    const [host] = (await startHosts(again, 1, { sshd })) as [TestHost]
    await failsWith('HOST.1003', /^host .* lets .* in, but/, sshDriverOf(again, host).ping({ signal }))
  })
