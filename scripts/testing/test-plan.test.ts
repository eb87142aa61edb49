import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { concurrency, planTests, type TestProcess, testFiles, testKind } from './test-plan.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
after(() => rmSync(root, { recursive: true }))

const quick = 'packages/contract/src/query.test.ts'
const quickOnBoth = 'packages/server/src/jobs/run.engines.test.ts'
const quickOnPostgres = 'packages/server/src/nodes.postgres.test.ts'
const isolated = 'packages/server/src/app.isolated.test.ts'
const slow = 'packages/server/src/kill.slow.test.ts'
const slowOfClient = 'packages/cli/src/kill.slow.test.ts'
const slowOnBoth = 'packages/server/src/jobs/kill.engines.slow.test.ts'
const slowIsolated = 'packages/reliability/src/nth.isolated.slow.test.ts'
const inBrowser = 'packages/console/src/app.browser.slow.test.ts'
const alsoInBrowser = 'packages/sdk/src/page.browser.slow.test.ts'
const alone = 'packages/reliability/src/load.alone.slow.test.ts'
const long = 'packages/server/src/kill.engines.long.test.ts'
const longAlone = 'packages/reliability/src/load.postgres.alone.long.test.ts'
const storage = 'packages/server/src/bucket.storage.test.ts'
const script = 'scripts/plan.test.ts'
const files = [
  ...[quick, quickOnBoth, quickOnPostgres, isolated, slow, slowOfClient, slowOnBoth, slowIsolated],
  ...[inBrowser, alsoInBrowser, alone],
  ...[long, longAlone, storage, script, 'packages/server/src/program/main.js'],
]
for (const file of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), '')
}

const filesOn = (engine: string, processes: readonly TestProcess[]): string[] => [
  ...new Set(processes.filter((one) => one.engine === engine).flatMap((one) => one.files)),
]

const rows = [
  {
    args: [],
    sqlite: [
      ...[inBrowser, alsoInBrowser],
      ...[slow, slowOnBoth, slowOfClient, slowIsolated],
      ...[quick, quickOnBoth, script, isolated],
    ],
    postgres: [slowOnBoth, quickOnBoth, quickOnPostgres],
    alone: [alone],
    isWhole: true,
  },
  { args: ['unit'], sqlite: [quick, quickOnBoth, script, isolated] },
  {
    args: ['long'],
    sqlite: [inBrowser, alsoInBrowser, slowOfClient, slowOnBoth, slow, slowIsolated, long],
    postgres: [slowOnBoth, slow, slowIsolated, long],
    alone: [alone, longAlone, alone],
  },
  { args: ['--engine=postgres'], postgres: [slowOnBoth, quickOnBoth, quickOnPostgres] },
  { args: ['unit', '--engine=postgres'], postgres: [quickOnBoth, quickOnPostgres] },
  { args: ['query'], sqlite: [quick] },
  { args: ['jobs/run', 'scripts/'], sqlite: [quickOnBoth, script], postgres: [quickOnBoth] },
]

for (const { args, sqlite = [], postgres = [], alone = [], isWhole = false } of rows) {
  test(`npm test ${args.join(' ')}`, () => {
    const plan = planTests(args, root)
    assert.deepEqual(filesOn('sqlite', plan.together).sort(), sqlite.toSorted())
    assert.deepEqual(filesOn('postgres', plan.together).sort(), postgres.toSorted())
    assert.deepEqual(
      plan.alone.flatMap((one) => one.files),
      alone,
    )
    assert.equal(plan.isWhole, isWhole)
  })
}

test('slow files first; the order is always the same, and not that of folders', () => {
  const checkout = fileURLToPath(new URL('../..', import.meta.url))
  const order = () => planTests([], checkout).together.find(({ leavesFiles }) => leavesFiles === true)?.files ?? []
  const slowFiles = order().filter((file) => testKind(file).speed === 'slow')
  assert.deepEqual(order().slice(0, slowFiles.length), slowFiles)
  assert.deepEqual(order(), order())
  const isBeforeNeighbour = (file: string, index: number): boolean =>
    dirname(file) === dirname(slowFiles[index + 1] ?? '')
  assert.ok(slowFiles.filter(isBeforeNeighbour).length < slowFiles.length / 4, slowFiles.join('\n'))
})

test('only the long mode sets TEST_LONG', () => {
  assert.deepEqual(planTests(['long'], root).env, { TEST_LONG: '1' })
  assert.deepEqual(planTests([], root).env, {})
})

test('a run without any test file is planned, to be reported as a failure', () => {
  const empty = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
  const { engines, together } = planTests(['unit'], empty)
  assert.deepEqual({ engines, together }, { engines: ['sqlite'], together: [] })
  rmSync(empty, { recursive: true })
})

test('several processes take the files of an engine, no more than there are files, and the last takes all that are left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
  mkdirSync(join(folder, 'scripts'))
  for (let count = 1; count <= 6; count++) {
    writeFileSync(join(folder, `scripts/${count}.engines.test.ts`), '')
    const { together } = planTests([], folder)
    const of = (engine: string) => together.filter((one) => one.engine === engine)
    for (const engine of ['postgres', 'sqlite']) assert.equal(of(engine).length, Math.min(count, concurrency))
    for (const { files } of together) assert.equal(files.length, count)
    assert.deepEqual(
      of('sqlite').map(({ leavesFiles }) => leavesFiles),
      Array.from({ length: Math.min(count, concurrency) }, (_, index) => index < Math.min(count, concurrency) - 1),
    )
  }
  rmSync(folder, { recursive: true })
})

test('--costs lists the most expensive files', () => {
  assert.equal(planTests(['--costs', 'jobs'], root).listsCosts, true)
  assert.equal(planTests([], root).listsCosts, false)
})

test('a suffix that decides nothing is refused', () => {
  for (const name of ['kill.fast.test.ts', 'kill.slow.engines.test.ts', 'kill.engines.postgres.test.ts'])
    assert.throws(() => testKind(`packages/a/src/${name}`), new RegExp(name))
})

test('the files that open a browser run in one process, and share it', () => {
  const checkout = fileURLToPath(new URL('../..', import.meta.url))
  const opening = testFiles(checkout)
    .filter((file) => testKind(file).speed !== 'long')
    .filter((file) => /\bTestBrowser\.start\(/.test(readFileSync(join(checkout, file), 'utf8')))
  const [first, ...others] = planTests([], checkout).together.filter(({ files }) =>
    files.some((file) => opening.includes(file)),
  )
  assert.deepEqual(first?.files, opening)
  assert.deepEqual(others, [])
})

test('every file of this checkout runs in npm test, test:long or test:storage', () => {
  const checkout = fileURLToPath(new URL('../..', import.meta.url))
  const plans = [planTests([], checkout), planTests(['long'], checkout)]
  const planned = new Set(plans.flatMap(({ together, alone }) => [...together, ...alone].flatMap((one) => one.files)))
  const never = testFiles(checkout).filter((file) => !planned.has(file) && testKind(file).speed !== 'storage')
  assert.deepEqual(never, [])
})

test('refuses an unknown engine, an unknown option and a pattern that matches nothing', () => {
  assert.throws(() => planTests(['--engine=oracle'], root), /sqlite or postgres/)
  assert.throws(() => planTests(['--fast'], root), /--fast/)
  assert.throws(() => planTests(['nowhere'], root), /nowhere/)
  assert.throws(() => planTests(['bucket'], root), /bucket/, 'tests of storage are not for this program')
})
