import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshHome, runCaptured } from '../../testing/captured-io.ts'
import { filterConditions } from './entry-filter.ts'

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['--operation', 'AddHosts', /invalid --operation AddHosts: no entry can have it\n {2}did you mean AddHost\?/],
  ['--operation', 'Nothing', /invalid --operation Nothing: no entry can have it\n.*--query 'operation=Nothing'/],
  ['--type', 'host', /invalid --type host: no entry can have it\n {2}did you mean Host\?/],
  ['--outcome', 'denied', /'--outcome <outcome>' argument 'denied' is invalid. Allowed choices are Success, Failure/],
]

test('a misspelled filter is refused with what may be meant, instead of showing no entries', async (t) => {
  const home = freshHome(t)
  for (const command of ['list', 'tail'])
    for (const [option, value, message] of refused) {
      const { code, stderr } = await runCaptured(['audit', command, option, value], { home })
      assert.equal(code, 2, `${command} ${option} ${value}`)
      assert.match(stderr, message)
    }
})

const unused = () => Promise.reject(new Error('no filter needs the server'))

test('filters accept whatever an entry can have', async () => {
  const conditions = [
    ...(await Promise.all(
      ['AddHost', 'Retention', 'PUT /v1/hosts'].map((operation) => filterConditions(unused, { operation })),
    )),
    ...(await Promise.all(['Host', 'AuditEntry'].map((type) => filterConditions(unused, { type })))),
  ]
  assert.deepEqual(conditions.flat(), [
    'operation=AddHost',
    'operation=Retention',
    'operation=PUT /v1/hosts',
    'resourceType=Host',
    'resourceType=AuditEntry',
  ])
})
