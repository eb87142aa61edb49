import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'
import { parseTime } from './time-options.ts'

test('a time has a form that the server reads', () => {
  const time = Date.UTC(2026, 10, 5, 1, 2, 3)
  for (const text of [
    '2026-11-05T01:02:03Z',
    '2026-11-05 01:02:03',
    '2026-11-05T09:02:03+08:00',
    '2026-11-05T09:02:03+08',
    '2026-11-04t19:32:03,000-0530',
    'Nov 5, 2026 1:02:03 AM',
  ])
    assert.equal(parseTime('--from', text), time, text)
  assert.equal(parseTime('--from', '2026-11-05'), Date.UTC(2026, 10, 5))
  for (const text of ['', '5', 'yesterday', '2026-02-30', '2026-11-05T25:00', '2026-11', 'Foo 5, 2026 1:02:03 AM'])
    assert.throws(() => parseTime('--from', text), { name: 'UsageError' }, text)
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['audit list --from yesterday', /invalid --from yesterday: expected a time such as 2026-11-05T01:02:03Z/],
  ['audit list --to 2026-02-30', /invalid --to 2026-02-30: expected a time/],
  ['audit list --from 2026-12-01 --to 2026-11-01', /--from 2026-12-01 is not before --to 2026-11-01\n {2}swap them/],
  ['audit list --from 2026-11-01 --to 2026-11-01', /--from 2026-11-01 is not before --to 2026-11-01/],
  ['audit export --from yesterday', /invalid --from yesterday/],
  ['audit export --from 2026-12-01 --to 2026-11-01', /--from 2026-12-01 is not before --to/],
  ['audit verify /dev/null --key /dev/null --from 2026-12-01 --to 2026-11-01', /--from 2026-12-01 is not before --to/],
  ['alert silence HighLoad --comment test --until tomorrow', /invalid --until tomorrow/],
  ['key create --expires soon', /invalid --expires soon: .* or a period such as 90d/],
  ['rollout create web --release web@1 --hosts name=web-1 --start-at tomorrow', /invalid --start-at tomorrow/],
]

test('an option with a time that cannot be meant is refused by its name, before the command connects', async (t) => {
  const home = freshHome(t)
  const env = environmentOf({ url: await closedAddress(), accessKeyId: 'id', accessKeySecret: 'secret' })
  for (const [line, message] of refused) {
    const { code, stderr } = await runCaptured(line.split(' '), { home, env })
    assert.equal(code, 2, line)
    assert.match(stderr, message)
  }
})
