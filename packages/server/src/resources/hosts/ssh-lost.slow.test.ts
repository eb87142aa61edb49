import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot, reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'

const { signal } = new AbortController()
const noticedMs = 15_000

let hosts: TestHost[]
const cleanup = reverseCleanup({ after })
before(async () => {
  hosts = await startHosts(cleanup, 8)
})
/** Each test has a host of its own to ill-treat. */
const nextHost = (): TestHost => hosts.pop() as TestHost

const endless = (): Readable => {
  const stream = new Readable({ read: () => void setImmediate(() => stream.push(Buffer.alloc(65_536))) })
  return stream
}

const trickling = (): Readable => {
  const stream = new Readable({ read: () => void setTimeout(() => stream.push(Buffer.alloc(4096)), 10) })
  return stream
}

/** How long it took to fail because there is no connection. */
async function failsWithoutConnection(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await assert.rejects(work, { code: 'HOST.1003', message: /^(lost the|no) connection/ })
  return performance.now() - began
}

async function until(holds: () => Promise<boolean>, limitMs = 10_000): Promise<void> {
  for (const began = performance.now(); !(await holds()); await delay(50))
    assert.ok(performance.now() - began < limitMs, 'it takes too long')
}

const gone = (host: TestHost, word: string): Promise<void> =>
  until(async () => !(await host.exec('ps -e -o stat= -o args=')).includes(word))
const shows = async (host: TestHost, name: string): Promise<boolean> => (await host.exec('ls /var/tmp')).includes(name)

describe('a connection that is lost', { concurrency: true }, () => {
  test('fails the running program and ends it on the host; the next call has a new connection', async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    const onLine = (): void => host.cutConnections()
    await failsWithoutConnection(driver.run(['sh', '-c', 'echo up; exec sleep 41.5'], { signal, onLine }))
    await driver.ping({ signal })
    await gone(host, 'sleep 41.5')
  })

  test('leaves nothing of a file, large or small', async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    for (const options of [{}, { size: 2 ** 20 }]) {
      const cut = `wharf-cut-${process.pid}-${Object.keys(options)}`
      const bytes = 'size' in options ? trickling() : endless()
      const putting = failsWithoutConnection(driver.put(bytes, `/var/tmp/${cut}`, { signal, ...options }))
      await until(() => shows(host, cut))
      host.cutConnections()
      await putting
      await until(async () => !(await shows(host, cut)))
    }
  })

  test('is detected in 15 s when the host is paused, while another host works', async (t) => {
    const host = nextHost()
    const [driver, neighbour] = [sshDriverOf(t, host), sshDriverOf(t, nextHost())]
    await driver.ping({ signal })
    host.freeze()
    try {
      const failing = [
        driver.run(['true'], { signal }),
        driver.ping({ signal }),
        driver.usage('/', { signal }),
        driver.put(endless(), `/var/tmp/wharf-frozen-${process.pid}`, { signal }),
        driver.get('/etc/passwd', { signal }).toArray(),
      ].map(failsWithoutConnection)
      for (let times = 0; times < 10; times++) {
        const began = performance.now()
        await neighbour.ping({ signal })
        assert.ok(performance.now() - began < 3000)
      }
      for (const took of await Promise.all(failing)) assert.ok(took < noticedMs, `${took} ms`)
    } finally {
      host.thaw()
    }
    await driver.ping({ signal })
    await until(async () => !(await shows(host, 'wharf-frozen')))
  })

  test('does not delay an abort', async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    const stop = new AbortController()
    const reason = new Error('enough')
    const up = Promise.withResolvers<void>()
    const options = { signal: stop.signal, onLine: () => up.resolve() }
    const running = driver.run(['sh', '-c', 'echo up; exec sleep 42.5'], options)
    await up.promise
    host.freeze()
    try {
      const began = performance.now()
      stop.abort(reason)
      await assert.rejects(running, (error) => error === reason)
      assert.ok(performance.now() - began < 5500)
    } finally {
      host.thaw()
    }
    await gone(host, 'sleep 42.5')
  })

  test('by an unplugged cable fails a transfer clearly and leaves nothing', {
    skip: hostsNeedRoot,
  }, async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    const putting = failsWithoutConnection(driver.put(endless(), '/var/tmp/wharf-link', { signal }))
    await until(() => shows(host, 'wharf-link'))
    await host.linkDown()
    const took = await putting
    assert.ok(took < noticedMs + 2000, `${took} ms`)
    await host.linkUp()
    await driver.ping({ signal })
    await until(async () => !(await shows(host, 'wharf-link')), 60_000)
  })

  test('for two seconds does not fail', { skip: hostsNeedRoot }, async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    const lines: string[] = []
    const script = 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done'
    const running = driver.run(['sh', '-c', script], { signal, onLine: (line) => void lines.push(line) })
    await until(async () => lines.length > 0)
    await host.linkDown()
    await delay(2000)
    await host.linkUp()
    assert.equal((await running).exitCode, 0)
    assert.deepEqual(lines, ['1', '2', '3', '4', '5', '6', '7', '8'])
  })

  test('because the whole host is lost is reported like any other', { skip: hostsNeedRoot }, async (t) => {
    const host = nextHost()
    const driver = sshDriverOf(t, host)
    const up = Promise.withResolvers<void>()
    const running = driver.run(['sh', '-c', 'echo up; exec sleep 43'], { signal, onLine: () => up.resolve() })
    const failing = failsWithoutConnection(running)
    await up.promise
    await host.kill()
    assert.ok((await failing) < noticedMs)
    await failsWithoutConnection(driver.ping({ signal }))
  })
})
