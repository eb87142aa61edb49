// `npm test`, `npm run test:unit` and `npm run test:long`; scripts/testing/test-plan.ts says what each of them runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../packages/testkit/src/database/postgres.ts'
import { explainedShare, readFailures } from '../packages/testkit/src/watching/explained-share.ts'
import { ensureComponents } from './components.ts'
import { bundlePrograms } from './testing/bundle-programs.ts'
import type { Counts } from './testing/count-reporter.ts'
import { planTests, type TestPart } from './testing/test-plan.ts'
import type { TestRun } from './testing/test-run.ts'

const killAfterMs = 5000
const maxCheckMs = 10 * 60_000
/**
 * Real hosts, browsers and databases on a machine with other work to do: a few files may fail for want of time. They get
 * one more chance, by themselves, and are named at the end. More than these is no bad luck.
 */
const maxRepeated = 3
const root = fileURLToPath(new URL('..', import.meta.url))
const inCi = Boolean(process.env.CI)
/** Of the failures that a whole run provokes, by their text alone. */
const minExplained = 0.95

const plan = readPlan()
const endsBy = performance.now() + plan.runMs
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const records = mkdtempSync(join(tmpdir(), 'wharf-failures-'))
const failuresFile = join(records, 'failures.ndjson')
const closing: string[] = []
const failures: string[] = []

for (const component of ensureComponents()) {
  closing.push(`MISSING: ${component}; the tests that need it fail`)
  if (inCi) failures.push(`${component}, which must be there when CI is set`)
}
if (plan.isWhole && (await runNode(['scripts/check.ts'], process.env, maxCheckMs)) !== 0) failures.push('the checks')
const programs = await bundlePrograms(root)
for (const part of plan.runs) {
  if (interrupted.signal.aborted) break
  await (part.engine === 'postgres' ? runOnPostgres(part) : runTests(part, {}))
}
if (plan.isWhole && !interrupted.signal.aborted) reportExplained()
rmSync(records, { recursive: true })
for (const line of closing) console.log(line)
if (failures.length > 0) console.log(`Failed: ${failures.join('; ')}`)
process.exit(interrupted.signal.aborted ? 130 : failures.length > 0 ? 1 : 0)

function readPlan() {
  try {
    return planTests(process.argv.slice(2), root)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

async function runOnPostgres(part: TestPart): Promise<void> {
  const server = await startPostgres().catch((error: Error) => error)
  if (server instanceof Error) {
    closing.push(`${part.name}: SKIPPED, not one test ran on it. ${server.message}`)
    if (inCi) failures.push('postgres, which must run when CI is set')
    return
  }
  try {
    await runTests(part, { TEST_POSTGRES_URL: server.url })
  } finally {
    await server.stop()
  }
}

async function runTests(part: TestPart, engineEnv: NodeJS.ProcessEnv): Promise<void> {
  const { name, files } = part
  // without files Node would look for tests by its own rules
  if (files.length === 0) return report(name, 1, undefined)
  console.log(`\n${name}, ${files.length} files`)
  const { exitCode, counts } = await runOnce(part, engineEnv)
  const failed = (counts?.failedFiles ?? []).map((path) => relative(root, path))
  const isRepeatable = plan.repeats && failed.length <= maxRepeated && failed.every((file) => files.includes(file))
  if (exitCode === 0 || counts === undefined || !isRepeatable) return report(name, exitCode, counts)
  console.log(`\n${name}, once more and by themselves: ${failed.join(', ')}`)
  const again = await runOnce({ ...part, files: failed, concurrency: 1 }, engineEnv)
  if (again.exitCode !== 0 || !again.counts?.passed) return report(name, exitCode, counts)
  report(name, 0, { ...counts, passed: counts.passed + counts.failed, failed: 0 })
  for (const file of failed) closing.push(`  UNSTEADY: ${file} failed beside the others, and passed by itself`)
}

async function runOnce({ files, concurrency }: TestPart, engineEnv: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-counts-'))
  const countsFile = join(folder, 'counts.json')
  const runFile = join(folder, 'run.json')
  const testRun: TestRun = { files, concurrency, testMs: plan.testMs, countsFile }
  writeFileSync(runFile, JSON.stringify(testRun))
  const env = { ...cleanEnvironment(), TEST_FAILURES_FILE: failuresFile, ...plan.env, ...engineEnv }
  const exitCode = await runNode(['scripts/testing/test-run.ts', runFile], env, endsBy - performance.now())
  const written = existsSync(countsFile) ? readFileSync(countsFile, 'utf8') : ''
  rmSync(folder, { recursive: true })
  return { exitCode, counts: written === '' ? undefined : (JSON.parse(written) as Counts) }
}

function report(name: string, exitCode: number | null, counts: Counts | undefined): void {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: [] }
  closing.push(`${name}: ${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  for (const skip of skipped) closing.push(`  skipped ${skip}`)
  if (passed + failed + skipped.length === 0) failures.push(`${name}, where no test ran to its end`)
  else if (exitCode !== 0) failures.push(name)
  const isRoot = process.getuid?.() === 0
  if (inCi && skipped.some((skip) => isRoot || !skip.includes('needs root')))
    failures.push(`${name}, because only what needs root may be skipped when CI is set, and only for other users`)
}

/** Every failure that the tests met, held against the catalogue of elaborations. */
function reportExplained(): void {
  const met = existsSync(failuresFile) ? readFailures(readFileSync(failuresFile, 'utf8')) : []
  const { failures: count, byText, ofOwnCode, byTextOrCode, unexplained } = explainedShare(met)
  const share = (part: number) => `${((100 * part) / Math.max(count, 1)).toFixed(1)} %`
  closing.push(
    `elaborations: of ${count} kinds of failures ${share(byText)} are explained by their text ` +
      `(${share(ofOwnCode)} under their own code), ${share(byTextOrCode)} by text or code`,
  )
  for (const text of unexplained) closing.push(`  unexplained ${text.split('\n')[0]?.slice(0, 150)}`)
  if (byText < minExplained * count || count === 0) failures.push('elaborations, which explain too few failures')
}

/** The settings of a developer's own Wharf and PostgreSQL, and of a run around this one, are not for the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(WHARF_|PG[A-Z]|TEST_POSTGRES_URL$|TEST_LONG$|TEST_PROGRAMS$|NODE_TEST_CONTEXT$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
  // every process of tests loads the whole server: half of that is done once
  return { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'tests'), TEST_PROGRAMS: programs, ...env }
}

/** In a process group of its own, so that an interrupt ends the test files and what they started as well. */
async function runNode(options: readonly string[], env: NodeJS.ProcessEnv, limitMs: number): Promise<number | null> {
  if (interrupted.signal.aborted) return null
  const child = spawn(process.execPath, options, { cwd: root, env, detached: true, stdio: ['ignore', 1, 2] })
  const signalGroup = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal)
  const timers: NodeJS.Timeout[] = []
  const end = () => {
    signalGroup('SIGINT')
    timers.push(setTimeout(() => signalGroup('SIGKILL'), killAfterMs))
  }
  timers.push(setTimeout(end, limitMs))
  interrupted.signal.addEventListener('abort', end)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  interrupted.signal.removeEventListener('abort', end)
  for (const timer of timers) clearTimeout(timer)
  return exitCode
}
