import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { deleteHost } from '@wharf/contract'
import type { BulkAction } from './bulk-action.ts'
import { phaseOf } from './bulk-phase.ts'
import {
  type BulkRow,
  countOf,
  newRows,
  prepareRows,
  type RowState,
  readyAgain,
  readyCalls,
  runRows,
} from './bulk-rows.ts'

const action = (more: Partial<BulkAction<string>> = {}): BulkAction<string> => ({
  id: 'delete',
  label: 'Delete',
  operation: deleteHost,
  consequences: 'Deletes it.',
  run: async () => {},
  inputOf: (uuid) => ({ uuid }),
  ...more,
})

/** The rows of a dialog, which change as the action reports. */
class Rows {
  now: BulkRow<string>[]

  constructor(one: BulkAction<string>, records: readonly string[]) {
    this.now = newRows(one, records, (record) => record)
  }

  readonly set = (key: string, state: RowState): void => {
    this.now = this.now.map((row) => (row.key === key ? { ...row, state } : row))
  }

  get kinds(): string {
    return this.now.map(({ key, state }) => `${key} ${state.kind}`).join(', ')
  }
}

const never = new AbortController().signal

test('records that the action does not apply to are skipped, with the reason', () => {
  const { now, kinds } = new Rows(action({ problem: (name) => (name === 'b' ? 'in use' : undefined) }), ['a', 'b'])
  assert.equal(kinds, 'a ready, b skipped')
  assert.deepEqual(now[1]?.state, { kind: 'skipped', reason: 'in use' })
  assert.deepEqual(readyCalls(action(), now), [{ operation: deleteHost, input: { uuid: 'a' } }])
})

test('each row has its own result, and a retry runs only the failed ones', async () => {
  const calls: string[] = []
  let isBroken = true
  const one = action({
    run: async (name) => {
      calls.push(name)
      if (name === 'b' && isBroken) throw new Error('no space')
    },
  })
  const rows = new Rows(one, ['a', 'b', 'c'])
  await runRows(one, rows.now, rows.set, never)
  assert.equal(rows.kinds, 'a succeeded, b failed, c succeeded')
  isBroken = false
  rows.now = readyAgain(rows.now)
  assert.equal(rows.kinds, 'a succeeded, b ready, c succeeded')
  await runRows(one, rows.now, rows.set, never)
  assert.equal(rows.kinds, 'a succeeded, b succeeded, c succeeded')
  assert.deepEqual(calls, ['a', 'b', 'c', 'b'])
})

test('at most 4 calls run at a time', async () => {
  let running = 0
  let most = 0
  const one = action({
    run: async () => {
      most = Math.max(most, ++running)
      await delay(1)
      running--
    },
  })
  const rows = new Rows(
    one,
    Array.from({ length: 12 }, (_, index) => `${index}`),
  )
  await runRows(one, rows.now, rows.set, never)
  assert.equal(most, 4)
  assert.equal(countOf(rows.now, 'succeeded'), 12)
})

test('stopping starts no further row; the others stay ready', async () => {
  const stopped = new AbortController()
  const one = action({ run: async (name) => void (name === '5' && stopped.abort()) })
  const rows = new Rows(
    one,
    Array.from({ length: 12 }, (_, index) => `${index}`),
  )
  await runRows(one, rows.now, rows.set, stopped.signal)
  assert.ok(countOf(rows.now, 'ready') >= 3, rows.kinds)
  await runRows(one, rows.now, rows.set, never)
  assert.equal(countOf(rows.now, 'succeeded'), 12)
})

test('a preparation skips a record, or passes its value to the call', async () => {
  const passed: unknown[] = []
  const one = action({
    prepare: async (name) => {
      if (name === 'a') return { problem: 'has a form' }
      if (name === 'b') throw new Error('not reachable')
      return { value: `key of ${name}`, note: 'SHA256:…' }
    },
    run: async (_, prepared) => void passed.push(prepared),
  })
  const rows = new Rows(one, ['a', 'b', 'c'])
  assert.equal(countOf(rows.now, 'preparing'), 3)
  await prepareRows(one, rows.now, rows.set, never, String)
  assert.deepEqual(
    rows.now.map(({ state }) => state),
    [
      { kind: 'skipped', reason: 'has a form' },
      { kind: 'skipped', reason: 'Error: not reachable' },
      { kind: 'ready', prepared: 'key of c', note: 'SHA256:…' },
    ],
  )
  await runRows(one, rows.now, rows.set, never)
  assert.deepEqual(passed, ['key of c'])
})

test('the phases of a run: what was stopped, or has no row left to start, is ending', async () => {
  const rows = new Rows(action(), ['a', 'b'])
  const idle = { isPreparing: false, hasStarted: false, isRunning: false, isStopped: false }
  const running = { ...idle, hasStarted: true, isRunning: true }
  assert.equal(phaseOf(rows.now, { ...idle, isPreparing: true }), 'preparing')
  assert.equal(phaseOf(rows.now, idle), 'confirm')
  assert.equal(phaseOf(rows.now, running), 'running')
  assert.equal(phaseOf(rows.now, { ...running, isStopped: true }), 'ending')
  assert.equal(phaseOf(rows.now, { ...running, isRunning: false, isStopped: true }), 'finished')
  await runRows(action(), rows.now, rows.set, never)
  assert.equal(phaseOf(rows.now, running), 'ending')
  assert.equal(phaseOf(rows.now, { ...running, isRunning: false }), 'finished')
})
