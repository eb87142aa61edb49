import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { reverseCleanup, sshDriverOf, startHosts, type TestHost } from '@wharf/testkit'
import { asOwner } from '../jobs/ownership.ts'

const { signal } = new AbortController()
const subject = 'c'.repeat(32)

function owner(jobUuid: string, fence = 1) {
  const lines: string[] = []
  const ownership = {
    jobUuid: jobUuid.repeat(32),
    fence,
    subjectUuid: subject,
    requireOwned: () => {},
    overtaken: () => new Error('overtaken'),
    onRecorded: (listener: (isRecorded: boolean) => void) => listener(false),
    log: (line: string) => void lines.push(line),
  }
  return { lines, by: <T>(work: () => Promise<T>): Promise<T> => asOwner(ownership, work) }
}

/** Between a node and a host: the first connections get no answer for a while. */
async function slowDoor(t: { after(work: () => void): void }, host: TestHost, silent: number) {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket.on('error', () => {}))
    if (count <= silent) return
    const further = dial(host.port, host.address).on('error', () => socket.destroy())
    sockets.add(further)
    socket.pipe(further).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, tries: () => count }
}

describe('a host that is slow to connect', { concurrency: true }, () => {
  let host: TestHost
  const cleanup = reverseCleanup({ after })
  before(async () => {
    ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
  })

  test('is tried again in a job, and each attempt is logged', async (t) => {
    const { port, tries } = await slowDoor(t, host, 1)
    const driver = sshDriverOf(t, host, { address: '127.0.0.1', port })
    const { by, lines } = owner('5')
    assert.deepEqual(await by(() => driver.run(['true'], { signal })), { exitCode: 0 })
    assert.equal(tries(), 2)
    assert.deepEqual(lines.length, 1)
    assert.match(lines[0] ?? '', /^attempt 1 of 3: no connection to .*; trying again in 1 s$/)
  })

  test('fails outside of a job at once, and what refuses is not tried again', async (t) => {
    const { port, tries } = await slowDoor(t, host, 1)
    await assert.rejects(sshDriverOf(t, host, { address: '127.0.0.1', port }).run(['true'], { signal }), {
      code: 'HOST.1003',
    })
    assert.equal(tries(), 1)
    const refusing = await slowDoor(t, host, 0)
    const { by, lines } = owner('6')
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
