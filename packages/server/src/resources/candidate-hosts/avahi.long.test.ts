import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot, interfaceTo, startAvahi, startHosts, TestServer } from '@wharf/testkit'

/** The time of avahi's address records, and a moment. */
const maxMs = 122_000

test('a host that avahi announces disappears when its address records have expired', {
  skip: hostsNeedRoot,
}, async () => {
  const [host] = await startHosts({ after }, 1)
  assert.ok(host)
  const server = await TestServer.start({ after }, { environment: { WHARF_DISCOVERY: interfaceTo(host) } })
  const count = async (): Promise<number> => {
    const { body } = await server.admin.get('/v1/mini-clusters/candidate-hosts')
    return (body.hosts as unknown[]).length
  }
  const until = async (wanted: number, ms: number): Promise<number> => {
    const start = performance.now()
    while ((await count()) !== wanted) {
      assert.ok(performance.now() - start < ms, `not ${wanted} after ${ms} ms`)
      await delay(200)
    }
    return performance.now() - start
  }
  await startAvahi(host, ['--sn', 'AV-1'])
  await until(1, 3000)
  // longer than its records are valid: it stays because it is queried
  await delay(125_000)
  assert.equal(await count(), 1)
  await host.linkDown()
  assert.ok((await until(0, maxMs)) > 10_000)
  await host.linkUp()
  await until(1, 65_000)
})
