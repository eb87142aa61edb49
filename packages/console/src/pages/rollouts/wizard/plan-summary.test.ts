import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlanEntry, positionedPlan, summarizePlan } from './plan-summary.ts'
import { templateProblems } from './template-problems.ts'

const entry = (hostName: string, wave: number, more: Partial<PlanEntry> = {}): PlanEntry => ({
  hostUuid: hostName,
  hostName,
  wave,
  action: 'Upgrade',
  fromVersion: '1.0.0',
  toVersion: '1.1.0',
  bytes: 10,
  obstacle: null,
  ...more,
})

const plan = [
  entry('web-1', 1),
  entry('web-2', 3, { action: 'Install', obstacle: 'host web-2 is Disconnected' }),
  entry('web-3', 3, { action: 'None', bytes: 0 }),
]

test('the summary counts actions, obstacles, bytes and the hosts of each wave', () => {
  assert.deepEqual(summarizePlan(plan), {
    hosts: 3,
    obstacles: 1,
    bytes: 20,
    actions: { Install: 1, Upgrade: 1, Downgrade: 0, None: 1 },
    waves: [1, 0, 2],
  })
})

test('hosts with an obstacle are first, the others stay in their order', () => {
  assert.deepEqual(
    positionedPlan(plan).map(({ hostName, position }) => [position, hostName]),
    [
      [0, 'web-2'],
      [1, 'web-1'],
      [2, 'web-3'],
    ],
  )
})

test('rules for texts do not apply to templates, which are rendered for each host', () => {
  const schema = {
    type: 'object',
    required: ['name', 'port'],
    properties: { name: { type: 'string', pattern: '^[a-z]+$' }, port: { type: 'integer' } },
  }
  assert.deepEqual([...templateProblems({ name: '{{ host.name }}', port: 1 }, schema)], [])
  assert.deepEqual(
    [...templateProblems({ name: 'Web 1' }, schema)].map(([path, { rule }]) => [path, rule]),
    [
      ['name', 'pattern'],
      ['port', 'required'],
    ],
  )
})
