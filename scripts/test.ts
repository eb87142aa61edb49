// `npm test`, `npm run test:unit` and `npm run test:long`; scripts/testing/test-plan.ts decides what each of them runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainedShare, readFailures } from '../packages/testkit/src/checks/explained-share.ts'
import { startPostgres } from '../packages/testkit/src/database/postgres.ts'
import { ensureComponents } from './components.ts'
import { bundlePrograms } from './testing/bundle-programs.ts'
import type { Counts } from './testing/count-reporter.ts'
import { costReport } from './testing/file-costs.ts'
import { concurrency, type Engine, planTests, type TestProcess } from './testing/test-plan.ts'
import type { TestRun } from './testing/test-run.ts'

const killAfterMs = 5000
const maxCheckMs = 20 * 60_000
/** As of `nice`. */
const lowPriority = 10
/**
 * On a busy machine a few files may run out of time. They run a second time, alone, and are listed at the end. More
 * failures than these are not random.
 */
const maxRepeated = 3
const root = fileURLToPath(new URL('..', import.meta.url))
const inCi = Boolean(process.env.CI)
/** Of the failures that a whole run provokes, by their text. */
const minExplained = 0.95

const plan = readPlan()
const endsBy = performance.now() + plan.runMs
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const records = mkdtempSync(join(tmpdir(), 'wharf-failures-'))
const failuresFile = join(records, 'failures.ndjson')
const costsFile = join(records, 'costs.txt')
const closing: string[] = []
const failures: string[] = []

for (const component of ensureComponents()) {
  closing.push(`MISSING: ${component}; the tests that need it fail`)
  if (inCi) failures.push(`${component}, which is required when CI is set`)
}
// with the time that the tests leave: many of them wait for hosts and timers
const checks = plan.isWhole ? runNode(['scripts/check.ts'], process.env, maxCheckMs, lowPriority) : 0
// every test process loads the whole server; the cache saves half of that work
const compileCache = join(root, 'node_modules', '.cache', 'tests')
const programs = await bundlePrograms(root)
const postgres = await startPlannedPostgres()
try {
  await runPlan()
} finally {
  await postgres?.stop()
}
if (plan.isWhole && !interrupted.signal.aborted) reportExplained()
if (plan.listsCosts) closing.push(...costReport(costsFile))
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

/** One server for the run, with a database per test. */
async function startPlannedPostgres() {
  if (![...plan.together, ...plan.alone].some(({ engine }) => engine === 'postgres')) return undefined
  return startPostgres().catch((error: Error) => {
    closing.push(`postgres: SKIPPED, no test ran on it. ${error.message}`)
    if (inCi) failures.push('postgres, which must run when CI is set')
    return undefined
  })
}

async function runPlan(): Promise<void> {
  const canRun = ({ engine }: TestProcess) => engine !== 'postgres' || postgres !== undefined
  const together = await runProcesses(plan.together.filter(canRun), concurrency)
  if ((await checks) !== 0) failures.push('the checks')
  const alone = await runProcesses(plan.alone.filter(canRun), plan.aloneConcurrency)
  const results = [together, alone]
  for (const engine of plan.engines) {
    if (engine === 'postgres' && postgres === undefined) continue
    report(engine, results)
  }
}

interface Result {
  readonly processes: readonly TestProcess[]
  readonly exitCode: number | null
  readonly counts: Partial<Record<Engine, Counts>>
}

async function runProcesses(processes: readonly TestProcess[], atOnce: number): Promise<Result> {
  // without files Node would search for tests by its own rules
  if (processes.length === 0) return { processes, exitCode: 0, counts: {} }
  const first = await runOnce(processes, atOnce)
  const failed = plan.engines.flatMap((engine) =>
    (first.counts[engine]?.failedFiles ?? []).map((file) => ({ engine, files: [file] })),
  )
  const isPlanned = ({ engine, files: [file = ''] }: TestProcess) =>
    processes.some((one) => one.engine === engine && one.files.includes(file))
  const isRepeatable = plan.repeats && failed.length > 0 && failed.length <= maxRepeated && failed.every(isPlanned)
  // another code than that of failed tests: files are missing
  if (first.exitCode !== 1 || !isRepeatable) return first
  console.log(`\nA second time, alone: ${failed.map(({ files }) => files).join(', ')}`)
  const second = await runOnce(failed, 1)
  if (second.exitCode !== 0 || failed.some(({ engine }) => !second.counts[engine]?.passed)) return first
  for (const { engine, files } of failed)
    closing.push(`  UNSTABLE: ${files.join()} failed with the others on ${engine}, and passed alone`)
  return { ...first, exitCode: 0, counts: withoutFailures(first.counts) }
}

// a declaration: the run above starts before a const here is initialized
function withoutFailures(counts: Result['counts']): Result['counts'] {
  return Object.fromEntries(
    Object.entries(counts).map(([engine, one]) => [engine, { ...one, passed: one.passed + one.failed, failed: 0 }]),
  )
}

async function runOnce(processes: readonly TestProcess[], atOnce: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-counts-'))
  const countsFile = join(folder, 'counts.json')
  const runFile = join(folder, 'run.json')
  const run: TestRun = { processes, concurrency: atOnce, testMs: plan.testMs, postgresUrl: postgres?.url, countsFile }
  writeFileSync(runFile, JSON.stringify(run))
  const costs = plan.listsCosts ? { TEST_COSTS_FILE: costsFile } : {}
  const env = { ...cleanEnvironment(), TEST_FAILURES_FILE: failuresFile, ...costs, ...plan.env }
  const exitCode = await runNode(['scripts/testing/test-run.ts', runFile], env, endsBy - performance.now())
  const counts = existsSync(countsFile) ? (JSON.parse(readFileSync(countsFile, 'utf8')) as Result['counts']) : {}
  rmSync(folder, { recursive: true })
  return { processes, exitCode, counts }
}

function report(engine: Engine, results: readonly Result[]): void {
  const all = results.flatMap(({ counts }) => counts[engine] ?? [])
  const passed = all.reduce((sum, one) => sum + one.passed, 0)
  const failed = all.reduce((sum, one) => sum + one.failed, 0)
  const skipped = all.flatMap((one) => one.skipped)
  closing.push(`${engine}: ${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  for (const skip of skipped) closing.push(`  skipped ${skip}`)
  // a run that fails without a failed test was interrupted or timed out
  const isIncomplete = results.some(
    ({ processes, exitCode, counts }) =>
      exitCode !== 0 &&
      processes.some((one) => one.engine === engine) &&
      Object.values(counts).every((one) => one.failed === 0),
  )
  if (passed + failed + skipped.length === 0) failures.push(`${engine}, where no test finished`)
  else if (failed > 0 || isIncomplete) failures.push(engine)
  const isRoot = process.getuid?.() === 0
  if (inCi && skipped.some((skip) => isRoot || !skip.includes('needs root')))
    failures.push(`${engine}, because only what needs root may be skipped when CI is set, and only for other users`)
}

/** Compares every failure that the tests provoked with the catalogue of elaborations. */
function reportExplained(): void {
  const recorded = existsSync(failuresFile) ? readFailures(readFileSync(failuresFile, 'utf8')) : []
  const { failures: count, byText, ofOwnCode, byTextOrCode, unexplained } = explainedShare(recorded)
  const share = (part: number) => `${((100 * part) / Math.max(count, 1)).toFixed(1)}%`
  closing.push(
    `elaborations: of ${count} kinds of failures ${share(byText)} are explained by their text ` +
      `(${share(ofOwnCode)} under their own code), ${share(byTextOrCode)} by text or code`,
  )
  for (const text of unexplained) closing.push(`  unexplained ${text.split('\n')[0]?.slice(0, 150)}`)
  if (byText < minExplained * count || count === 0) failures.push('elaborations, which explain too few failures')
}

/** Removes the settings of a developer's Wharf and PostgreSQL, and of an outer test run. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(WHARF_|PG[A-Z]|TEST_POSTGRES_URL$|TEST_LONG$|TEST_PROGRAMS$|NODE_TEST_CONTEXT$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
  return { NODE_COMPILE_CACHE: compileCache, TEST_PROGRAMS: programs, ...env }
}

/** In its own process group, so that an interrupt also ends the test files and their child processes. */
async function runNode(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs: number,
  priority = 0,
): Promise<number | null> {
  if (interrupted.signal.aborted) return null
  const child = spawn(process.execPath, options, { cwd: root, env, detached: true, stdio: ['ignore', 1, 2] })
  if (child.pid !== undefined && priority > 0) setPriority(child.pid, priority)
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
