// Runs test processes under Node's test runner: `node scripts/testing/test-run.ts RUN`, where RUN is a JSON file (TestRun).
// Not `node --test`, which sorts the files by name.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import countReporter from './count-reporter.ts'
import type { TestProcess } from './test-plan.ts'

export interface TestRun {
  readonly processes: readonly TestProcess[]
  readonly concurrency: number
  /** For one test. */
  readonly testMs: number
  /** For the processes on PostgreSQL. */
  readonly postgresUrl: string | undefined
  /** Where the counts are written when the run ends. */
  readonly countsFile: string
}

const { processes, concurrency, testMs, postgresUrl, countsFile } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as TestRun
const folder = mkdtempSync(join(tmpdir(), 'wharf-groups-'))
/** Has an entry for every file that a process has taken. */
const taken = join(folder, 'taken')
mkdirSync(taken)
const interrupted = new AbortController()
process.on('SIGINT', () => interrupted.abort())

/** For all tests of a file together, each of which has its own limit. */
const fileMs = Math.max(20 * 60_000, 2 * testMs)
const scopeModule = JSON.stringify(import.meta.resolve('./test-scope.ts'))
const groupModule = JSON.stringify(import.meta.resolve('./test-group.ts'))
const entries = processes.map((group, index) => {
  const entry = join(folder, `${index}-${group.engine}.mjs`)
  const env = group.engine === 'postgres' ? { TEST_POSTGRES_URL: postgresUrl } : {}
  writeFileSync(
    entry,
    // one after the other: the first changes what the second is loaded with
    `await import(${scopeModule})\nconst { runTogether } = await import(${groupModule})\n` +
      `Object.assign(process.env, ${JSON.stringify(env)})\n` +
      `await runTogether(${JSON.stringify(group)}, ${JSON.stringify(taken)}, ${fileMs})\n`,
  )
  return entry
})

// more memory for new objects: fewer collections, and a twentieth of the CPU time
const execArgv = ['--max-semi-space-size=64']
const events = run({ files: entries, concurrency, timeout: testMs, execArgv, signal: interrupted.signal })
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
let counts = ''
await finished(events.compose(countReporter).on('data', (text) => (counts += text)))
const planned = new Set(processes.flatMap(({ engine, files }) => files.map((file) => `${engine} ${file}`)))
// the processes that would have taken the others have ended early
if (readdirSync(taken).length < planned.size) process.exitCode = 2
rmSync(folder, { recursive: true })
if (!interrupted.signal.aborted) writeFileSync(countsFile, counts)
