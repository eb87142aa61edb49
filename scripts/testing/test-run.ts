// Runs test files under Node's test runner: `node scripts/testing/test-run.ts JOB`, where JOB is a JSON file (TestRun).
// Not `node --test`, which sorts the files by name.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import countReporter from './count-reporter.ts'
import { shareOut } from './test-processes.ts'

export interface TestRun {
  readonly files: readonly string[]
  readonly concurrency: number
  /** For one test. */
  readonly testMs: number
  /** Where the counts are written when the run comes to its end. */
  readonly countsFile: string
}

const { files, concurrency, testMs, countsFile } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TestRun
const folder = mkdtempSync(join(tmpdir(), 'wharf-groups-'))
const interrupted = new AbortController()
process.on('SIGINT', () => interrupted.abort())

/** For all tests of a file together, each of which has its own. */
const fileMs = Math.max(20 * 60_000, 2 * testMs)
const groupProgram = JSON.stringify(import.meta.resolve('./test-group.ts'))
const entries = shareOut(files).map(([first = '', ...others], index) => {
  if (others.length === 0) return resolve(first)
  const entry = join(folder, `group-${index}.mjs`)
  const together = JSON.stringify([first, ...others])
  writeFileSync(entry, `import { runTogether } from ${groupProgram}\nrunTogether(${together}, ${fileMs})\n`)
  return entry
})

const events = run({ files: entries, concurrency, timeout: testMs, signal: interrupted.signal })
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
let counts = ''
await finished(events.compose(countReporter).on('data', (text) => (counts += text)))
rmSync(folder, { recursive: true })
if (!interrupted.signal.aborted) writeFileSync(countsFile, counts)
