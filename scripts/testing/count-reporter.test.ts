import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import countReporter, { type Counts, fileTestName } from './count-reporter.ts'
import type { Engine } from './test-plan.ts'

const file = 'packages/a/src/kill.engines.slow.test.ts'
const onSqlite = fileTestName(file, 'sqlite')
const onPostgres = fileTestName(file, 'postgres')
const failed = (name: string, nesting: number, failureType: string) => ({
  type: 'test:fail',
  data: { name, nesting, details: { error: { failureType } } },
})
const passed = (name: string, nesting: number, more: object = {}) => ({
  type: 'test:pass',
  data: { name, nesting, details: {}, ...more },
})
const summary = { type: 'test:summary', data: {} }

async function counted(...events: object[]): Promise<Partial<Record<Engine, Counts>>> {
  const all = async function* () {
    yield* [...events, summary] as TestEvent[]
  }
  let text = ''
  for await (const part of countReporter(all())) text += part
  return JSON.parse(text) as Partial<Record<Engine, Counts>>
}

test('the tests of a file are counted on its engine, and the file is not a test', async () => {
  const counts = await counted(
    passed('one', 1),
    passed('two', 1, { skip: 'needs root' }),
    passed(onSqlite, 0),
    passed('one', 1),
    passed('part of one', 2),
    passed(onPostgres, 0),
  )
  assert.deepEqual(counts, {
    sqlite: { passed: 1, failed: 0, skipped: ['two: needs root'], failedFiles: [] },
    postgres: { passed: 2, failed: 0, skipped: [], failedFiles: [] },
  })
})

test('a file fails because of its tests, which are counted, or because it cannot be read', async () => {
  const inTest = await counted(failed('one', 1, 'testCodeFailure'), failed(onPostgres, 0, 'subtestsFailed'))
  assert.deepEqual(inTest.postgres, { passed: 0, failed: 1, skipped: [], failedFiles: [file] })
  const inFile = await counted(failed(onSqlite, 0, 'testCodeFailure'))
  assert.deepEqual(inFile.sqlite, { passed: 0, failed: 1, skipped: [], failedFiles: [file] })
})

test('a process that ends before its files is a failure of its engine', async () => {
  const { postgres } = await counted(passed('one', 1), failed('/tmp/groups/3-postgres.mjs', 0, 'testCodeFailure'))
  assert.deepEqual({ passed: postgres?.passed, failed: postgres?.failed }, { passed: 1, failed: 1 })
})
