import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseNow } from '@wharf/database/database-now.ts'
import { AlertPlatformFixture, ChatReceiver, TestServer, testEngine } from '@wharf/testkit'

/** SQLite belongs to one process. */
const onSharedDatabase = testEngine === 'postgres' ? test : () => {}
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
const deliveryLimits = { pollMs: 20 }
const server = await TestServer.start({ after }, { environment, deliveryLimits })
const receiver = await ChatReceiver.start({ after })

async function endpoint(name: string): Promise<{ platform: AlertPlatformFixture; uuid: string }> {
  const platform = await AlertPlatformFixture.create(server)
  const params = { name, type: 'Slack', url: receiver.webhookUrl('Slack', name), platformUuids: [platform.uuid] }
  const { body } = await server.admin.post('/v1/sns/application-endpoints/chatapp', { params })
  return { platform, uuid: (body.inventory as { uuid: string }).uuid }
}

onSharedDatabase('two nodes deliver each message once, in the order in which they were accepted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const other = await TestServer.open({ ...server.environment, WHARF_DATA: folder }, { deliveryLimits })
  t.after(() => other.app.close())
  const { platform } = await endpoint('two')
  const there = new AlertPlatformFixture(other.anonymous, platform)
  const names = Array.from({ length: 60 }, (_, n) => `alert-${n + 100}`)
  for (const [index, name] of names.entries()) {
    // both receive it, as from a pair of Alertmanagers
    const answers = await Promise.all([platform, there].map((one) => one.send({ name })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
      `${index}`,
    )
  }
  await receiver.waitForMessages('two', names.length)
  assert.deepEqual(
    receiver.requestsOf('two').map(({ body }) => /alert-\d+/.exec(body)?.[0]),
    names,
  )
  assert.equal(receiver.maxConcurrent.get('/Slack/two'), 1)
})

test('an endpoint that another process serves is not claimed until the lease expires', async () => {
  const { platform, uuid } = await endpoint('leased')
  const { database } = server.app.foundation
  const leaseUntil = async (ms: number): Promise<void> => {
    const { now } = await database.read.selectNoFrom(databaseNow(database.engine).as('now')).executeTakeFirstOrThrow()
    const change = { owner: 'another:process', leaseUntil: now + ms }
    await database.transaction((tx) => tx.updateTable('chatEndpoints').set(change).where('uuid', '=', uuid).execute())
  }
  await leaseUntil(60_000)
  await platform.send({ name: 'alert-1' })
  await delay(300)
  assert.deepEqual(receiver.requestsOf('leased'), [])
  await leaseUntil(100)
  await receiver.waitForMessages('leased', 1, 5000)
})
