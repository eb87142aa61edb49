import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodProblems, targetProblems } from './form-problems.ts'
import { conditionsOfLabels } from './label-conditions.ts'
import { newRollout, rolloutInput, selectorOf, wavesIn } from './rollout-form.ts'

const web = { name: 'role', operator: '=', value: 'web' } as const
const filled = { ...newRollout, name: ' web 1.1 ', releaseUuid: 'r1', labels: [web] }
const now = Date.UTC(2026, 10, 17)

test('labels become conditions; incomplete ones are left out', () => {
  const labels = [
    web,
    { name: 'zone', operator: '?=', value: 'a,b' },
    { name: 'old', operator: ' is null', value: 'ignored' },
    { name: 'disk', operator: '=', value: '' },
    { name: '', operator: '=', value: 'x' },
  ] as const
  assert.deepEqual(conditionsOfLabels(labels), ['labels.role=web', 'labels.zone?=a,b', 'labels.old is null'])
})

test('hosts are selected by labels, by conditions, all, or one by one', () => {
  assert.deepEqual(selectorOf(filled), ['labels.role=web'])
  assert.deepEqual(selectorOf({ ...filled, hostChoice: 'all' }), ['name is not null'])
  const conditions = 'state=Enabled\n\n labels.zone=a '
  assert.deepEqual(selectorOf({ ...filled, hostChoice: 'conditions', conditions }), ['state=Enabled', 'labels.zone=a'])
  // no condition would select every host
  assert.equal(selectorOf({ ...filled, labels: [] }), undefined)
  const { selector, hostUuids } = rolloutInput(
    { ...filled, hostChoice: 'hosts', hostUuids: ['h1'] },
    undefined,
    'utc',
  ) as {
    selector?: string[]
    hostUuids?: string[]
  }
  assert.deepEqual([selector, hostUuids], [undefined, ['h1']])
})

test('the input has the numbers as numbers, and no empty fields', () => {
  assert.deepEqual(rolloutInput(filled, { port: 80 }, 'utc'), {
    name: 'web 1.1',
    releaseUuid: 'r1',
    selector: ['labels.role=web'],
    config: { port: 80 },
    waves: ['1', '10%', '100%'],
    promotion: 'automatic',
    maxParallel: 8,
    maxFailures: '0',
    unreachable: 'fail',
    targetDeadlineSeconds: 1800,
    soakSeconds: 60,
    retries: 1,
    onFailure: 'pause',
    keepVersions: 2,
  })
})

test('the start is in the chosen zone, and needs a date', () => {
  const start = { startDate: '2026-11-18', startTime: '22:30' }
  assert.equal(rolloutInput({ ...filled, ...start }, undefined, 'utc').startAt, '2026-11-18T22:30:00.000Z')
  assert.deepEqual(methodProblems({ ...filled, ...start }, 'utc', now), {})
  assert.deepEqual(methodProblems({ ...filled, startDate: '2026-11-16' }, 'utc', now), { startDate: 'past' })
  assert.deepEqual(methodProblems({ ...filled, startTime: '22:30' }, 'utc', now), { startDate: 'time' })
})

test('a name, a release and hosts are needed', () => {
  assert.deepEqual(targetProblems(newRollout), { name: 'required', releaseUuid: 'required', hostChoice: 'noHosts' })
  assert.deepEqual(targetProblems(filled), {})
  assert.deepEqual(targetProblems({ ...filled, hostChoice: 'hosts' }), { hostChoice: 'noHosts' })
})

test('waves are separated by commas or spaces', () => assert.deepEqual(wavesIn(' 1 10%,100% '), ['1', '10%', '100%']))

for (const [change, field] of [
  [{ waves: '' }, 'waves'],
  [{ waves: '1, many' }, 'waves'],
  [{ waves: '0, 100%' }, 'waves'],
  [{ waves: '101%' }, 'waves'],
  [{ maxParallel: '0' }, 'maxParallel'],
  [{ maxFailures: '1.5' }, 'maxFailures'],
  [{ soakSeconds: '-1' }, 'soakSeconds'],
  [{ targetDeadlineSeconds: '604801' }, 'targetDeadlineSeconds'],
  [{ retries: '11' }, 'retries'],
  [{ keepVersions: '' }, 'keepVersions'],
  [{ configText: '[]' }, 'configText'],
] as const)
  test(`not valid: ${JSON.stringify(change)}`, () =>
    assert.deepEqual(Object.keys(methodProblems({ ...filled, ...change }, 'utc', now)), [field]))

test('percentages are valid amounts', () =>
  assert.deepEqual(methodProblems({ ...filled, waves: '12.5%, 100%', maxFailures: '5%' }, 'utc', now), {}))
