import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import countReporter, { type Counts } from './count-reporter.ts'

const file = 'packages/a/src/kill.slow.test.ts'
const failed = (name: string, nesting: number, failureType: string) => ({
  type: 'test:fail',
  data: { name, nesting, file: resolve('scripts/testing/test-group.ts'), details: { error: { failureType } } },
})
const passed = (name: string, nesting: number) => ({ type: 'test:pass', data: { name, nesting } })
const summary = (count: number) => ({ type: 'test:summary', data: { counts: { passed: count } } })

async function counted(...events: object[]): Promise<Counts> {
  const all = async function* () {
    yield* events as TestEvent[]
  }
  let text = ''
  for await (const part of countReporter(all())) text += part
  return JSON.parse(text) as Counts
}

test('a file that holds tests is none itself', async () => {
  const counts = await counted(passed('one', 1), passed('two', 1), passed(file, 0), summary(3))
  assert.deepEqual(counts, { passed: 2, failed: 0, skipped: [], failedFiles: [] })
})

test('a file fails by its tests, which are counted, or by itself, and then it is the one that is named', async () => {
  const byTest = await counted(failed('one', 1, 'testCodeFailure'), failed(file, 0, 'subtestsFailed'), summary(0))
  assert.equal(byTest.failed, 1)
  const byItself = await counted(failed(file, 0, 'testCodeFailure'), summary(0))
  assert.deepEqual(byItself, { passed: 0, failed: 1, skipped: [], failedFiles: [resolve(file)] })
})
