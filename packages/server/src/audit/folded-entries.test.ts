import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLog } from '@wharf/platform/log.ts'
import { MovingClock, testDatabase } from '@wharf/testkit'
import { anonymousActor, noOrigin } from './audit-source.ts'
import { FoldedEntries } from './folded-entries.ts'
import { NamedEntryLimit } from './named-entry-limit.ts'
import { RecordingState } from './not-recorded.ts'

test('a source has 200 entries with names in an hour; its further refused calls are one per operation', async (t) => {
  const database = await testDatabase(t)
  const clock = new MovingClock()
  const deps = { database, clock, log: makeLog('silent'), nodeUuid: 'a'.repeat(32), state: new RecordingState() }
  const folded = new FoldedEntries(deps)
  let names = 0
  /** In ten seconds of their own. */
  const refuse = async (calls: number, sourceIp = '192.0.2.1'): Promise<void> => {
    for (let call = 0; call < calls; call++) {
      const actor = { ...anonymousActor, actorName: `name ${names++}` }
      await folded.record(
        { ...noOrigin, operation: 'LogIn', startDate: 0, actor, sourceIp, isRecorded: false, isAccepted: false },
        { outcome: 'Denied', status: 401, errorCode: 'ID.1001' },
      )
    }
    clock.advance(10_000)
  }
  /** How many entries with a name and without one were written since the last time, and how many calls those without count. */
  const written = async (): Promise<[named: number, others: number, calls: number]> => {
    await folded.flush()
    const rows = await database.transaction((tx) => tx.deleteFrom('auditEntries').returningAll().execute())
    const others = rows.filter(({ actorName }) => actorName === null)
    return [rows.length - others.length, others.length, others.reduce((sum, { count }) => sum + count, 0)]
  }

  for (let round = 0; round < 10; round++) await refuse(20)
  assert.deepEqual(await written(), [200, 0, 0])
  for (let round = 0; round < 2; round++) await refuse(20)
  assert.deepEqual(await written(), [0, 2, 40])
  await refuse(1, '192.0.2.2')
  assert.deepEqual(await written(), [1, 0, 0], 'another source')
  clock.advance(3_600_000)
  await refuse(21)
  assert.deepEqual(await written(), [20, 1, 1], 'in the next hour')
})

test('at most 10,000 sources are counted: a further one replaces the one that began first', () => {
  const limit = new NamedEntryLimit()
  const reach = (source: string): void => {
    for (let entry = 0; entry < 200; entry++) limit.count(source, 0)
  }
  for (const source of ['first', 'second']) reach(source)
  for (let source = 3; source <= 10_000; source++) limit.count(`source ${source}`, 0)
  assert.ok(limit.isReached('first', 0))
  limit.count('one more', 0)
  assert.deepEqual([limit.isReached('first', 0), limit.isReached('second', 0)], [false, true])
})
