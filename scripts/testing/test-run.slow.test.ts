import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TestRun } from './test-run.ts'

const fixture = `
import assert from 'node:assert'
import { after, beforeEach, test } from 'node:test'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let prepared = 0
beforeEach(() => void prepared++)
after(() => assert.equal(prepared, 4))
test('passes', () => pause(5))
test('throws in a timer', () => new Promise(() => setTimeout(() => { throw new Error('late') }, 5)))
test('rejects what nobody awaits', async () => { Promise.reject(new Error('unheard')); await pause(20) })
test('contains another', async (t) => {
  await t.test('that fails', async () => { await pause(5); assert.fail('inside') })
})
`

/** test-scope.ts replaces how Node's runner finds the test that a failure belongs to. */
test('every failure is reported for its test, and fails the run', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'fixture.test.mjs')
  const runFile = join(folder, 'run.json')
  writeFileSync(file, fixture)
  const processes = [{ engine: 'sqlite', files: [file] }] as const
  const countsFile = join(folder, 'counts.json')
  const run: TestRun = { processes, concurrency: 1, testMs: 10_000, postgresUrl: undefined, countsFile }
  writeFileSync(runFile, JSON.stringify(run))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const program = fileURLToPath(new URL('test-run.ts', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [program, runFile], { env, encoding: 'utf8' })
  assert.equal(status, 1, stdout)
  const [listed = ''] = stdout.split('failing tests:')
  assert.match(listed, /✔ passes/)
  for (const name of ['throws in a timer', 'rejects what nobody awaits', 'that fails'])
    assert.match(listed, new RegExp(`✖ ${name}`))
})
