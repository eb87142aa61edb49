import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { proxiedPort, reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'
import { jobOwner } from './testing/job-owner.ts'

const { signal } = new AbortController()
/** The first connections get no answer for a while. */
const silentPort = (t: { after(work: () => void): void }, host: TestHost, silent: number) =>
  proxiedPort(t, host, (count) => count <= silent)

describe('a host that is slow to connect', { concurrency: true }, () => {
  let host: TestHost
  const cleanup = reverseCleanup({ after })
  before(async () => {
    ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
  })

  test('is retried in a job, and each attempt is logged', async (t) => {
    const { port, tries } = await silentPort(t, host, 1)
    const driver = sshDriverOf(t, host, { address: '127.0.0.1', port })
    const { by, lines } = jobOwner('5')
    assert.deepEqual(await by(() => driver.run(['true'], { signal })), { exitCode: 0 })
    assert.equal(tries(), 2)
    assert.deepEqual(lines.length, 1)
    assert.match(lines[0] ?? '', /^attempt 1 of 3: no connection to .*; trying again in 1 s$/)
  })

  test('fails at once outside of a job, and a refusal is not retried', async (t) => {
    const { port, tries } = await silentPort(t, host, 1)
    await assert.rejects(sshDriverOf(t, host, { address: '127.0.0.1', port }).run(['true'], { signal }), {
      code: 'HOST.1003',
    })
    assert.equal(tries(), 1)
    const refusing = await silentPort(t, host, 0)
    const { by, lines } = jobOwner('6')
    const at = { address: '127.0.0.1', port: refusing.port }
    const changed = sshDriverOf(t, host, {
      ...at,
      hostKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJq0pGtzbs3bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
    })
    await assert.rejects(
      by(() => changed.run(['true'], { signal })),
      { code: 'HOST.1004' },
    )
    const stranger = sshDriverOf(t, host, { ...at, username: 'nobody-here' })
    await assert.rejects(
      by(() => stranger.run(['true'], { signal })),
      { code: 'HOST.1005' },
    )
    assert.equal(refusing.tries(), 2)
    assert.deepEqual(lines, [])
  })
})
