import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { DemoCleanup } from './demo-cleanup.ts'
import { DemoScreen } from './demo-screen.ts'

test('removes each thing once, in reverse order, also after a failure', async () => {
  const removed: string[] = []
  const failures: unknown[] = []
  const cleanup = new DemoCleanup((error) => failures.push(error))
  const failure = new Error('busy')
  cleanup.after(() => void removed.push('folder'))
  cleanup.after(() => Promise.reject(failure))
  cleanup.after(() => {
    throw failure
  })
  cleanup.after(async () => {
    await turn()
    removed.push('server')
    // created while the rest was removed
    cleanup.after(() => void removed.push('late'))
  })
  await Promise.all([cleanup.end(), cleanup.end()])
  assert.deepEqual(
    [removed, failures],
    [
      ['server', 'late', 'folder'],
      [failure, failure],
    ],
  )
  cleanup.after(() => void removed.push('later still'))
  await cleanup.end()
  assert.equal(removed.at(-1), 'later still')
})

test('reports closed output once, and writes no more to it', async () => {
  class Closed extends EventEmitter {
    writes = 0
    write(): void {
      this.writes++
      this.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    }
  }
  const output = new Closed()
  let closed = 0
  const screen = new DemoScreen(output, () => closed++)
  screen.print('first')
  screen.print('second')
  assert.equal(await screen.step('third', async () => 7), 7)
  assert.deepEqual([closed, output.writes], [1, 1])
})
