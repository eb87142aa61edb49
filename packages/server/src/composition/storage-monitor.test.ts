import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDatabase, testEngine } from '@wharf/testkit'
import { lastWritePath, removeLastWrite } from './database-checks.ts'
import { StorageMonitor } from './storage-monitor.ts'

if (testEngine === 'sqlite')
  test('stop waits for the current round, and nothing is written afterwards', async (t) => {
    const database = await testDatabase(t)
    const data = mkdtempSync(join(tmpdir(), 'wharf-watch-'))
    t.after(() => rmSync(data, { recursive: true }))
    for (const name of ['lock', 'wharf.db', 'wharf.db-wal', 'wharf.db-shm']) writeFileSync(join(data, name), '')
    mkdirSync(join(data, 'uploads'))
    const onLost = (error: Error) => assert.fail(error)
    const watch = new StorageMonitor({ database, settings: { data }, nodeUuid: 'x', onLost })
    await watch.start()
    assert.equal(existsSync(lastWritePath(data)), true)
    void watch.probe()
    await watch.stop()
    removeLastWrite(data)
    await watch.probe()
    await delay(50)
    assert.equal(existsSync(lastWritePath(data)), false)
  })
