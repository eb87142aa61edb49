import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxWaves } from '@wharf/contract'
import { type FormProblems, methodProblems, targetProblems } from './form-problems.ts'
import { newRollout, type RolloutForm } from './rollout-form.ts'

const now = Date.parse('2026-11-05T12:00:00Z')
const complete: RolloutForm = { ...newRollout, name: 'shop 2.0', releaseUuid: 'r1', hostChoice: 'all' }

const targets: readonly (readonly [Partial<RolloutForm>, FormProblems])[] = [
  [{}, {}],
  [{ name: '  ' }, { name: 'required' }],
  [{ releaseUuid: '' }, { releaseUuid: 'required' }],
  [{ hostChoice: 'hosts' }, { hostChoice: 'noHosts' }],
  [{ hostChoice: 'hosts', hostUuids: ['h1'] }, {}],
  [{ hostChoice: 'conditions', conditions: ' \n ' }, { hostChoice: 'noHosts' }],
  [{ hostChoice: 'conditions', conditions: 'name~=web-%' }, {}],
  [{ hostChoice: 'labels' }, { hostChoice: 'noHosts' }],
  [{ hostChoice: 'labels', labels: [{ name: 'rack', operator: '=', value: 'r1' }] }, {}],
]

for (const [changes, problems] of targets)
  test(`the target with ${JSON.stringify(changes)} has ${JSON.stringify(problems)}`, () => {
    assert.deepEqual(targetProblems({ ...complete, ...changes }), problems)
  })

/** Texts that a field accepts, and texts that it rejects. */
const fields: readonly (readonly [keyof RolloutForm, FormProblems[keyof RolloutForm], string[], string[]])[] = [
  [
    'waves',
    'waves',
    ['1', '1, 10%, 100%', '33.3%, 100%', Array(maxWaves).fill('1').join(', ')],
    [
      '',
      '0',
      '0%',
      '101%',
      '-1',
      '1.5',
      'half',
      '10 %',
      Array(maxWaves + 1)
        .fill('1')
        .join(', '),
    ],
  ],
  ['maxParallel', 'parallel', ['1', ' 1000 '], ['', '0', '1001', '1.5', '1e2', '-1']],
  ['maxFailures', 'amount', ['0', '0%', '5', '12.5%', '100%', ' 3 '], ['', '101%', '-1', '1.5', '1234567', '5%%']],
  ['targetDeadlineSeconds', 'deadline', ['1', '604800'], ['0', '604801', '', 'an hour']],
  ['soakSeconds', 'soak', ['0', '604800'], ['', '604801', '-1']],
  ['retries', 'retries', ['0', '10'], ['', '11', '-1']],
  ['keepVersions', 'versions', ['1', '10'], ['', '0', '11']],
  ['configText', 'json', ['', '  ', '{}', '{"port": 1}'], ['[]', 'null', '1', '"text"', '{']],
]

for (const [field, problem, accepted, rejected] of fields) {
  test(`${field} accepts its limits`, () => {
    for (const text of accepted) assert.deepEqual(methodProblems({ ...complete, [field]: text }, 'utc', now), {}, text)
  })
  test(`${field} rejects what the server would reject`, () => {
    for (const text of rejected)
      assert.deepEqual(methodProblems({ ...complete, [field]: text }, 'utc', now), { [field]: problem }, text)
  })
}

for (const [startDate, startTime, startDateProblem] of [
  ['', '', undefined],
  ['2026-11-05', '12:01', undefined],
  ['2026-11-05', '12:00', 'past'],
  ['2026-11-04', '23:59', 'past'],
  ['2026-13-40', '12:00', 'time'],
  ['', '12:00', 'time'],
] as const)
  test(`a start at "${startDate} ${startTime}" is ${startDateProblem ?? 'accepted'}`, () => {
    const expected = startDateProblem ? { startDate: startDateProblem } : {}
    assert.deepEqual(methodProblems({ ...complete, startDate, startTime }, 'utc', now), expected)
  })

test('all problems are found at once', () => {
  const form = { ...complete, waves: '', retries: 'x', configText: '[' }
  assert.deepEqual(methodProblems(form, 'utc', now), { waves: 'waves', retries: 'retries', configText: 'json' })
})
