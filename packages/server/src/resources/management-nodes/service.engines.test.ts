import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { testDatabase } from '@wharf/testkit'
import type { Outbox } from '../../events/outbox.ts'
import { NodeService } from './service.ts'

test('a clock that the heartbeat corrects, as after a pause of the machine, is not reported as off', async (t) => {
  const database = await testDatabase(t)
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const clock = { now: () => Date.now() }
  const paused = { ...clock, ownErrorMs: 120_000, correct: () => Object.assign(paused, { ownErrorMs: 0 }) }
  const nodes = new NodeService({
    nodeUuid: 'a'.repeat(32),
    ...{ database, clock, log, events: { record: async () => {} } as unknown as Outbox },
    databaseClock: paused as unknown as DatabaseClock,
  })
  t.after(() => nodes.stop())
  await nodes.start('http://x', 'https://wharf.example')
  assert.equal(paused.ownErrorMs, 0)
  assert.deepEqual(lines, [])
})
