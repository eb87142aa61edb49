import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { planTests } from './test-plan.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
after(() => rmSync(root, { recursive: true }))

const contract = 'packages/contract/src/query.test.ts'
const server = 'packages/server/src/jobs/run.test.ts'
const pure = 'packages/server/src/platform/ids.test.ts'
const pureFile = 'packages/server/src/alerts/webhook.test.ts'
const slow = 'packages/server/src/kill.slow.test.ts'
const long = 'packages/server/src/kill.long.test.ts'
const storage = 'packages/server/src/bucket.storage.test.ts'
const script = 'scripts/plan.test.ts'
for (const file of [contract, server, pure, pureFile, slow, long, storage, script, 'packages/server/src/main.ts']) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), '')
}

const rows = [
  { args: [], sqlite: [contract, pureFile, server, slow, pure, script], postgres: [server, slow], withChecks: true },
  { args: ['unit'], sqlite: [contract, pureFile, server, pure, script], withChecks: false },
  {
    args: ['long'],
    sqlite: [contract, pureFile, server, long, slow, pure, script],
    postgres: [server, long, slow],
    withChecks: false,
  },
  { args: ['--engine=postgres'], postgres: [server, slow], withChecks: false },
  { args: ['unit', '--engine=postgres'], postgres: [server], withChecks: false },
  { args: ['query'], sqlite: [contract], withChecks: false },
  { args: ['jobs', 'scripts/'], sqlite: [server, script], postgres: [server], withChecks: false },
]

for (const { args, withChecks, ...expected } of rows) {
  test(`npm test ${args.join(' ')}`, () => {
    const plan = planTests(args, root)
    assert.deepEqual(Object.fromEntries(plan.runs.map(({ engine, files }) => [engine, files])), expected)
    assert.equal(plan.withChecks, withChecks)
  })
}

test('only the long mode tells its tests to take their time', () => {
  assert.deepEqual(planTests(['long'], root).env, { TEST_LONG: '1' })
  assert.deepEqual(planTests([], root).env, {})
})

test('a run without any test file is planned, to be reported as a failure', () => {
  const empty = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
  assert.deepEqual(planTests(['unit'], empty).runs, [{ engine: 'sqlite', files: [] }])
  rmSync(empty, { recursive: true })
})

test('refuses an unknown engine, an unknown option and a pattern that matches nothing', () => {
  assert.throws(() => planTests(['--engine=oracle'], root), /sqlite or postgres/)
  assert.throws(() => planTests(['--fast'], root), /--fast/)
  assert.throws(() => planTests(['nowhere'], root), /nowhere/)
  assert.throws(() => planTests(['bucket'], root), /bucket/, 'tests of storage are not for this program')
})
