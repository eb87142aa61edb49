import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot, reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'
import { jobOwner } from './testing/job-owner.ts'

const { signal } = new AbortController()
const hookOn = (driver: ReturnType<typeof sshDriverOf>, script: string) =>
  driver.run(['sh', '-c', script], { signal, hook: { name: 'install' } })

async function until(holds: () => Promise<boolean>, limitMs = 10_000): Promise<void> {
  for (const began = performance.now(); !(await holds()); await delay(100))
    assert.ok(performance.now() - began < limitMs, 'it takes too long')
}

const isRunning = async (host: TestHost, command: string): Promise<boolean> =>
  new RegExp(`^[^Z].*${command}`, 'm').test(await host.exec('ps -e -o stat= -o args='))

describe('a host that loses every packet', { skip: hostsNeedRoot, concurrency: true }, () => {
  let hosts: TestHost[]
  const cleanup = reverseCleanup({ after })
  before(async () => {
    hosts = await startHosts(cleanup, 2)
  })

  test('ends its hook automatically before the job can fail', async (t) => {
    const host = hosts[0] as TestHost
    const { by, lines } = jobOwner('1')
    const running = by(() =>
      hookOn(sshDriverOf(t, host), 'touch /srv/begun; trap "" TERM; while :; do sleep 71.5; done'),
    )
    let failedAt = 0
    const failing = assert.rejects(running, { code: 'HOST.1003' }).finally(() => {
      failedAt = performance.now()
    })
    await until(async () => (await host.exec('ls /srv')).includes('begun'))
    const began = performance.now()
    await host.linkDown()
    try {
      await until(async () => !(await isRunning(host, 'sleep 71.5')), 40_000)
      const endedAt = performance.now()
      assert.ok(endedAt - began > 12_000, `an outage that ssh survives ends it: ${endedAt - began} ms`)
      assert.equal(failedAt, 0, 'the job failed while its hook ran')
      await failing
      assert.ok(failedAt - began < 45_000, `${failedAt - began} ms`)
      assert.match(lines.join('\n'), /querying the host/)
    } finally {
      await host.linkUp()
    }
  })

  test('keeps the exit code until it is reachable again, and the hook is not lost', async (t) => {
    const host = hosts[1] as TestHost
    const { by } = jobOwner('2')
    const running = by(() => hookOn(sshDriverOf(t, host), 'touch /srv/begun; sleep 4; touch /srv/ended; exit 3'))
    const result = running.catch((error: unknown) => error)
    await until(async () => (await host.exec('ls /srv')).includes('begun'))
    await host.linkDown()
    await delay(14_000)
    await host.linkUp()
    assert.deepEqual(await result, { exitCode: 3, isKept: true })
  })
})
