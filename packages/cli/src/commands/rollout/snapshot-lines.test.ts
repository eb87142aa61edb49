import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { activeRolloutStates, busyTargetStates, failedTargetStates } from '@wharf/contract'
import type { RolloutInventory, RolloutTargetInventory, RolloutWaveInventory } from '@wharf/sdk'
import { type Colours, coloursFor } from '../../output/colours.ts'
import { widthOf } from '../../output/text-width.ts'
import { type RolloutSnapshot, shortError, stateSets } from './snapshot.ts'
import { snapshotChanges } from './snapshot-changes.ts'
import { type ScreenStyle, snapshotLines } from './snapshot-lines.ts'
import { cellCounts } from './wave-bar.ts'

const plain = coloursFor({ isTTY: false, write: () => {}, columns: 80, rows: 24 }, {})
const coloured = coloursFor({ isTTY: true, write: () => {}, columns: 80, rows: 24 }, {})
const styleOf = (columns: number, colours: Colours = plain, more: Partial<ScreenStyle> = {}): ScreenStyle => ({
  columns,
  rows: 24,
  unicode: true,
  colours,
  now: Date.parse('2026-11-05T12:01:30Z'),
  toTime: Date.parse,
  ...more,
})

const at = (time: string) => `2026-11-05T${time}Z` as RolloutInventory['createDate']

/** One row for each wave: its state and the states of its hosts. */
function snapshotOf(
  rollout: Partial<RolloutInventory>,
  rows: readonly (readonly [RolloutWaveInventory['state'], ...RolloutTargetInventory['state'][]])[],
): RolloutSnapshot {
  const waves = rows.map(([state, ...hosts], index) => ({
    uuid: `wave-${index + 1}`,
    number: index + 1,
    size: hosts.length,
    state,
    soakUntil: state === 'Soaking' ? at('12:02:00') : null,
  }))
  const targets = rows.flatMap(([, ...hosts], wave) =>
    hosts.map((state, index) => {
      const hostName = `web-${wave + 1}${index + 1}`
      const error = stateSets.failed.includes(state) ? `SoftwarePackage.1132 install failed on ${hostName}` : null
      const startDate = state === 'Pending' ? null : at('12:01:00')
      const endDate = error === null ? null : at(`12:01:${10 + index}`)
      const versions = { fromVersion: '1.0.0', toVersion: '1.1.0' }
      return { uuid: hostName, hostName, wave: wave + 1, state, attempts: 1, error, startDate, endDate, ...versions }
    }),
  )
  return {
    rollout: {
      uuid: 'rollout',
      name: 'web-1.1',
      softwareName: 'hello',
      version: '1.1.0',
      state: 'Running',
      pauseReason: null,
      pausedUntil: null,
      reason: null,
      stopMode: null,
      currentWave: 1,
      startAt: null,
      startDate: at('12:00:00'),
      endDate: null,
      ...rollout,
    } as RolloutInventory,
    waves: waves as RolloutWaveInventory[],
    targets: new Map(targets.map((target) => [target.uuid, target as RolloutTargetInventory])),
  }
}

const running = snapshotOf({ currentWave: 2 }, [
  ['Succeeded', 'Succeeded'],
  ['Running', 'Succeeded', 'Installing', 'Failed', 'Waiting'],
  ['Pending', 'Pending', 'Pending', 'Pending', 'Pending', 'Pending'],
])

test('a line for each wave, the running hosts and the latest failures', () => {
  assert.deepEqual(snapshotLines(running, styleOf(80)), [
    'web-1.1  hello@1.1.0  Running  2/10 hosts  1 failed  1:30',
    '',
    '✓ wave 1  ████████████████████████████████████████  1/1  Succeeded',
    '● wave 2  ██████████××××××××××▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  1/4  Running    1 failed',
    '  wave 3  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0/5  Pending',
    '',
    'Running   web-22  Installing    0:30',
    '          web-24  Waiting       0:30',
    '',
    'Failures  web-23  Failed        install failed on web-23',
  ])
})

test('a paused rollout names the reason and what to do', () => {
  const paused = snapshotOf({ state: 'Paused', pauseReason: 'Failures', reason: '1 of 2 hosts of wave 1 failed' }, [
    ['Failed', 'Failed', 'Pending'],
  ])
  assert.deepEqual(snapshotLines(paused, styleOf(120)).slice(-2), [
    'Paused for Failures: 1 of 2 hosts of wave 1 failed',
    'wharf rollout retry|resume|undo web-1.1',
  ])
  const stopping = { ...paused, rollout: { ...paused.rollout, stopMode: 'finish' as const } }
  assert.ok(!snapshotLines(stopping, styleOf(120)).some((line) => line.includes('resume')))
  const soaking = snapshotOf({}, [['Soaking', 'Succeeded', 'Skipped']])
  assert.match(snapshotLines(soaking, styleOf(80))[2] ?? '', /^◔ wave 1 {2}█+·+ {2}1\/2 {2}Soaking {2}0:30 left, 1 /)
  const undone = snapshotOf({ state: 'RolledBack' }, [['RolledBack', 'RolledBack']])
  assert.match(snapshotLines(undone, styleOf(80, plain, { unicode: false }))[2] ?? '', /^< wave 1 {2}<+ {2}0\/1 /)
})

test('an error on the screen starts with its most specific part', () => {
  const rows: Record<string, string> = {
    'HOST.1003 host web-1 is Disconnected': 'host web-1 is Disconnected',
    "SoftwarePackage.1300 the package's install ended with exit code 3: 20% unpacking\nport 80 is in use\n---":
      'install ended with exit code 3: port 80 is in use',
    'SYS.1016 first\nsecond': 'first second',
    '': '',
  }
  for (const [error, shown] of Object.entries(rows)) assert.equal(shortError(error), shown)
})

test('every line fits, on terminals of any size, also with colours', () => {
  const many = snapshotOf(
    { name: '很长的名字'.repeat(9), currentWave: 30 },
    Array.from({ length: 60 }, () => ['Running', 'Failed', 'TimedOut', 'Installing', 'Verifying', 'Pending'] as const),
  )
  for (const snapshot of [running, many])
    for (const columns of [20, 40, 80, 200])
      for (const rows of [8, 12, 24, 50]) {
        const lines = snapshotLines(snapshot, styleOf(columns, coloured, { rows }))
        const widest = Math.max(...lines.map((line) => widthOf(stripVTControlCharacters(line))))
        assert.ok(widest < columns, `${widest} of ${columns} columns`)
        assert.ok(lines.length < rows, `${lines.length} of ${rows} rows`)
        assert.ok(lines.some((line) => / wave (2|30)\b/.test(stripVTControlCharacters(line))))
      }
})

test('each state that occurs has a cell', () => {
  assert.deepEqual(cellCounts([998, 1, 0, 0, 1, 0], 20), [18, 1, 0, 0, 1, 0])
  assert.deepEqual(cellCounts([1, 1, 1], 10), [4, 3, 3])
  assert.deepEqual(cellCounts([5, 1, 1], 2), [2, 0, 0])
  assert.deepEqual(cellCounts([0, 0], 10), [0, 0])
})

test('a line for each change', () => {
  const lines = (before: RolloutSnapshot | undefined, after: RolloutSnapshot, isNew?: boolean) =>
    snapshotChanges(before, after, isNew).map(({ line }) => line)
  const pending = snapshotOf({ state: 'Scheduled' }, [
    ['Pending', 'Pending'],
    ['Pending', 'Pending'],
  ])
  const started = snapshotOf({}, [
    ['Running', 'Installing'],
    ['Pending', 'Pending'],
  ])
  const paused = { state: 'Paused', pauseReason: 'Failures', reason: '1 of 1 hosts of wave 1 failed' } as const
  const failed = snapshotOf(paused, [
    ['Failed', 'Failed'],
    ['Pending', 'Pending'],
  ])
  const ended = snapshotOf({ state: 'Succeeded' }, [
    ['Succeeded', 'Succeeded'],
    ['Succeeded', 'AlreadyInstalled'],
  ])
  assert.deepEqual(lines(pending, started), [
    'Running            rollout web-1.1',
    'Running            wave 1 of 2: 0 of 1 hosts',
    'Installing         web-11 in wave 1',
  ])
  assert.deepEqual(lines(started, failed), [
    'Failed             web-11 in wave 1: SoftwarePackage.1132 install failed on web-11',
    'Failed             wave 1 of 2: 0 of 1 hosts, 1 failed',
    'Paused             rollout web-1.1 for Failures: 1 of 1 hosts of wave 1 failed',
  ])
  assert.deepEqual(lines(failed, failed), [])
  const back = { state: 'RollingBack', reason: '1 of 1 hosts of wave 2 failed' } as const
  const half = snapshotOf({}, [
    ['Succeeded', 'Succeeded'],
    ['Running', 'Installing'],
  ])
  const restoring = snapshotOf(back, [
    ['Succeeded', 'Waiting'],
    ['Failed', 'Failed'],
  ])
  assert.deepEqual(lines(half, restoring), [
    'Failed             web-21 in wave 2: SoftwarePackage.1132 install failed on web-21',
    'Failed             wave 2 of 2: 0 of 1 hosts, 1 failed',
    'RollingBack        rollout web-1.1: 1 of 1 hosts of wave 2 failed',
    'Waiting            web-11 in wave 1, back to 1.0.0',
  ])
  const partly = snapshotOf(back, [
    ['Succeeded', 'Succeeded'],
    ['Failed', 'Failed', 'Transferring'],
  ])
  const restored = snapshotOf({ ...back, state: 'RolledBack' }, [
    ['Succeeded', 'Succeeded'],
    ['RolledBack', 'Failed', 'RolledBack'],
  ])
  assert.ok(lines(half, partly).includes('Failed             wave 2 of 2: 1 of 2 hosts, 1 failed'))
  assert.ok(lines(partly, restored).includes('RolledBack         wave 2 of 2: 1 of 2 hosts restored, 1 failed'))
  const stopped = snapshotOf({ state: 'Stopped' }, [
    ['Succeeded', 'Succeeded'],
    ['Skipped', 'RolledBack', 'Skipped'],
  ])
  assert.ok(lines(half, stopped).includes('Skipped            wave 2 of 2: 0 of 2 hosts'))
  const whole = [
    'Succeeded          web-11 in wave 1',
    'Succeeded          wave 1 of 2: 1 of 1 hosts',
    'AlreadyInstalled   web-21 in wave 2',
    'Succeeded          wave 2 of 2: 1 of 1 hosts',
    'Succeeded          rollout web-1.1',
  ]
  assert.deepEqual(lines(failed, ended), whole)
  assert.deepEqual(lines(undefined, ended, true), whole)
  assert.deepEqual(lines(undefined, ended), [whole[1], whole[3], whole[4]])
})

test('the sets of states are those of the contract', () =>
  assert.deepEqual(stateSets, { active: activeRolloutStates, busy: busyTargetStates, failed: failedTargetStates }))
