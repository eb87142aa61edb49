import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { enginePatterns, planTests } from './test-plan.ts'
import { judgeTheirProcess } from './test-processes.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
after(() => rmSync(root, { recursive: true }))

const contract = 'packages/contract/src/query.test.ts'
const server = 'packages/server/src/jobs/run.test.ts'
const pure = 'packages/platform/src/ids.test.ts'
const pureFile = 'packages/server/src/resources/alerts/webhook.test.ts'
const slow = 'packages/server/src/jobs/kill.slow.test.ts'
const slowWithMore = 'packages/server/src/jobs/kills.slow.test.ts'
const slowOnHosts = 'packages/server/src/resources/cluster-plugins/story.slow.test.ts'
const slowOnSqlite = 'packages/server/src/resources/software-packages/hostile-words.slow.test.ts'
const slowOnPostgres = 'packages/server/src/resources/management-nodes/away.slow.test.ts'
const long = 'packages/server/src/kill.long.test.ts'
const demanding = 'packages/reliability/src/alert-delivery/scenario.slow.test.ts'
const judging = 'packages/reliability/src/load/scenario.slow.test.ts'
const longDemanding = 'packages/reliability/src/load/scenario.long.test.ts'
const longAlerts = 'packages/reliability/src/alert-delivery/scenario.long.test.ts'
const storage = 'packages/server/src/bucket.storage.test.ts'
const script = 'scripts/plan.test.ts'
const engineless = 'packages/server/src/names.test.ts'
const onlySqliteShort = 'packages/reliability/src/contract-fuzz/scenario.slow.test.ts'
const onEither = "import { TestServer } from '@wharf/testkit'"
const texts: Record<string, string> = {
  [slowWithMore]: `${onEither}\nconst kills = process.env.TEST_LONG ? 200 : 20`,
  [engineless]: "import { anyCharacter } from '@wharf/testkit/any-character.ts'",
}
for (const file of [
  ...[
    contract,
    server,
    pure,
    pureFile,
    slow,
    slowWithMore,
    slowOnHosts,
    slowOnSqlite,
    slowOnPostgres,
    long,
    demanding,
    judging,
    longDemanding,
    longAlerts,
    storage,
    script,
    engineless,
    onlySqliteShort,
  ],
  'packages/server/src/program/main.js',
]) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), texts[file] ?? onEither)
}

const faults = (engine: string) => `${engine}, under load and faults`
const alone = (engine: string) => `${faults(engine)}, one at a time`
const rows = [
  {
    args: [],
    sqlite: [contract, pure, slow, slowWithMore, server, engineless, pureFile, slowOnHosts, slowOnSqlite, script],
    [faults('sqlite')]: [demanding, onlySqliteShort],
    [alone('sqlite')]: [judging],
    postgres: [slow, slowWithMore, server, slowOnPostgres],
    [faults('postgres')]: [demanding],
    isWhole: true,
  },
  { args: ['unit'], sqlite: [contract, pure, server, engineless, pureFile, script], isWhole: false },
  {
    args: ['long'],
    sqlite: [slowWithMore, long],
    [faults('sqlite')]: [longDemanding, longAlerts],
    postgres: [slowWithMore, long, slowOnHosts],
    [faults('postgres')]: [longAlerts],
    isWhole: false,
  },
  {
    args: ['--engine=postgres'],
    postgres: [slow, slowWithMore, server, slowOnPostgres],
    [faults('postgres')]: [demanding],
    isWhole: false,
  },
  { args: ['unit', '--engine=postgres'], postgres: [server], isWhole: false },
  { args: ['query'], sqlite: [contract], isWhole: false },
  { args: ['jobs/run', 'scripts/'], sqlite: [server, script], postgres: [server], isWhole: false },
]

for (const { args, isWhole, ...expected } of rows) {
  test(`npm test ${args.join(' ')}`, () => {
    const plan = planTests(args, root)
    assert.deepEqual(Object.fromEntries(plan.runs.map(({ name, files }) => [name, files])), expected)
    assert.equal(plan.isWhole, isWhole)
  })
}

test('only the long mode tells its tests to take their time', () => {
  assert.deepEqual(planTests(['long'], root).env, { TEST_LONG: '1' })
  assert.deepEqual(planTests([], root).env, {})
})

test('a run without any test file is planned, to be reported as a failure', () => {
  const empty = mkdtempSync(join(tmpdir(), 'wharf-plan-'))
  assert.deepEqual(
    planTests(['unit'], empty).runs.map(({ name, files }) => ({ name, files })),
    [{ name: 'sqlite', files: [] }],
  )
  rmSync(empty, { recursive: true })
})

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const allFiles = globSync('{packages,scripts}/**/*.test.ts', { cwd: checkout, exclude: ['**/node_modules/**'] })

test('no file of this checkout is left out', () => {
  const planned = [[], ['long']].flatMap((args) => planTests(args, checkout).runs.flatMap(({ files }) => files))
  const never = new Set(allFiles).difference(new Set(planned))
  assert.deepEqual(
    [...never].filter((file) => !file.endsWith('.storage.test.ts')),
    [],
  )
})

test('every rule about engines and processes is about a file that is there', () => {
  for (const pattern of [...enginePatterns, ...judgeTheirProcess])
    assert.ok(
      allFiles.some((file) => pattern.test(file)),
      String(pattern),
    )
})

test('no file that is left out on PostgreSQL asks for the engine by what it imports', () => {
  const all = new Set(planTests(['--engine=sqlite'], checkout).runs.flatMap(({ files }) => files))
  const planned = [[], ['long']].flatMap((args) => planTests([...args, '--engine=postgres'], checkout).runs)
  const left = all.difference(new Set(planned.flatMap(({ files }) => files)))
  const asking = [...left]
    .filter((file) => file.startsWith('packages/server/') && !enginePatterns.some((pattern) => pattern.test(file)))
    .filter((file) => !file.endsWith('/contract-fuzz/scenario.slow.test.ts')) // its long form runs there
    .filter((file) => importedBy(file).some((text) => /^import (?!type).*testkit'/m.test(text)))
  assert.deepEqual(asking, [])
})

/** The texts of what stands beside it or near it. */
const importedBy = (file: string): string[] =>
  [...readFileSync(join(checkout, file), 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
    readFileSync(join(checkout, dirname(file), path), 'utf8'),
  )

test('refuses an unknown engine, an unknown option and a pattern that matches nothing', () => {
  assert.throws(() => planTests(['--engine=oracle'], root), /sqlite or postgres/)
  assert.throws(() => planTests(['--fast'], root), /--fast/)
  assert.throws(() => planTests(['nowhere'], root), /nowhere/)
  assert.throws(() => planTests(['bucket'], root), /bucket/, 'tests of storage are not for this program')
})
