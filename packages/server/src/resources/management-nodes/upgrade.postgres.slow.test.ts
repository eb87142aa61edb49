import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  EventRecorder,
  freshPostgresDatabase,
  nodeEnvironments,
  previousRelease,
  reverseCleanup,
  ServerProcess,
  TrialJob,
  TrialTrace,
  testEngine,
  trialProgram,
  tusPatch,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
// only PostgreSQL can be shared
const program = testEngine === 'postgres' ? previousRelease(cleanup) : undefined

/** One node after the other is upgraded; meanwhile both versions work on one database, which the newer one has migrated. */
if (program === undefined && testEngine === 'postgres')
  test('an upgrade node by node', { skip: 'the history of this checkout does not hold the former release' }, () => {})

if (program !== undefined) {
  // the one that is at hand has been migrated by this version
  const database = await freshPostgresDatabase()
  cleanup.after(database.remove)
  const [one = {}, two = {}] = (await nodeEnvironments(cleanup, 2)).map((environment) => {
    return { ...environment, WHARF_DATABASE_URL: database.url }
  })
  const older = new ServerProcess(one, program)
  await older.start()
  cleanup.after(() => older.kill())
  const before = await older.admin.post('/v1/tags', { params: { name: 'before' } })
  // an operation that the older one does not have
  const newer = new ServerProcess(two, trialProgram)
  await newer.start()
  cleanup.after(() => newer.kill())
  const admins = { older: older.admin, newer: newer.adminOf(older) }

  test('the older node continues, and both read what the other writes', async () => {
    assert.equal(before.status, 200)
    for (const [name, admin] of Object.entries(admins))
      assert.equal((await admin.post('/v1/tags', { params: { name } })).status, 200)
    for (const admin of Object.values(admins)) {
      const tags = (await admin.get('/v1/tags?sort=createDate')).body.inventories as { name: string }[]
      assert.deepEqual(
        tags.map(({ name }) => name),
        ['before', 'older', 'newer'],
      )
      assert.equal(((await admin.get('/v1/management-nodes')).body.inventories as object[]).length, 2)
    }
    const { body } = await admins.newer.get('/v1/audit-entries?q=operation=CreateTag')
    const audited = body.inventories as { resourceName: string }[]
    assert.deepEqual(audited.map(({ resourceName }) => resourceName).sort(), ['before', 'newer', 'older'])
  })

  test('events of either reach the readers of both', async () => {
    const tapes = [await EventRecorder.open(admins.older), await EventRecorder.open(admins.newer)]
    for (const admin of Object.values(admins)) await admin.post('/v1/tags', { params: { name: randomUUID() } })
    for (const tape of tapes) await tape.waitForEvents(2)
    assert.deepEqual(tapes[0]?.changes, tapes[1]?.changes)
    for (const tape of tapes) tape.stop()
  })

  test('an upload at the older node, created and sent at the newer one', async () => {
    const { hostUuid, managementNodeUuid } = older.bootstrap
    const bytes = randomBytes(2 ** 20)
    const installPath = `/tmp/wharf-upgrade-${randomBytes(6).toString('hex')}`
    after(() => rm(installPath, { force: true }))
    const url = `upload://file?size=${bytes.length}`
    const params = { name: 'file', type: 'file', url, installPath, hostUuid, managementNodeUuid }
    const answer = await admins.newer.post('/v1/software-packages/upload', { params })
    assert.equal(answer.status, 200, answer.text)
    const { pathname, search } = new URL(String(answer.body.systemTags).slice('uploadUrl::'.length))
    const sent = await tusPatch(new URL(newer.bootstrap.url).origin + pathname + search, 0, bytes)
    assert.equal(sent.status, 204, sent.text)
    const { uuid } = answer.body.inventory as { uuid: string }
    for (let tries = 0; tries < 500; tries++) {
      const [row] = (await admins.newer.get(`/v1/software-package/${uuid}`)).body.inventories as Record<
        string,
        string
      >[]
      if (row?.status === 'Uploaded') {
        assert.equal(row.md5sum, createHash('md5').update(bytes).digest('hex'))
        return
      }
      await delay(20)
    }
    assert.fail('it is still not Uploaded')
  })

  test('a job that only the newer one supports waits for it, also when it is killed', async (t) => {
    const trace = new TrialTrace(t)
    const job = await TrialJob.start(admins.newer, { trace: trace.file, holdAt: 'run second' })
    await job.waitFor('currentStep', 'second')
    await newer.kill()
    // the lease of its job ends, and nobody takes it
    await delay(12_000)
    const left = await job.seenBy(older.admin).row()
    assert.equal(left.state, 'Running')
    await newer.start()
    trace.release()
    await job.seenBy(newer.adminOf(older)).waitFor('state', 'Succeeded', 20_000)
  })

  test('an older node that starts on the newer database is refused with the reason', async () => {
    await older.stop()
    await assert.rejects(older.start(), /the database is of a newer Wharf/)
  })
}
