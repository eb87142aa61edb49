import { writeFileSync } from 'node:fs'
import { ensurePrograms } from '../scripts/build-programs.ts'
import { audit, auditOfMillion } from './audit.bench.ts'
import { cli } from './cli.bench.ts'
import { webConsole } from './console.bench.ts'
import { explain } from './explain.bench.ts'
import { growth } from './growth.bench.ts'
import { hosts } from './hosts.bench.ts'
import { httpQuery } from './http-query.bench.ts'
import { jobs } from './jobs.bench.ts'
import type { Figure } from './measure.ts'
import { pageByLabel } from './page-by-label.bench.ts'
import { pageOfMillion } from './page-of-million.bench.ts'
import { type BenchResult, notMeasured, report, row } from './report.ts'
import { rolloutHosts } from './rollout-hosts.bench.ts'
import { rolloutPlan } from './rollout-plan.bench.ts'
import { rolloutTransfer } from './rollout-transfer.bench.ts'
import { start } from './start.bench.ts'
import { transfer } from './transfer.bench.ts'
import { upload } from './upload.bench.ts'

/** `npm run bench` runs all and writes results.md; `npm run bench -- jobs` runs one and only prints. */
const benches: Record<string, (rounds: number) => Promise<Figure[]>> = {
  'http-query': httpQuery,
  'page-of-million': pageOfMillion,
  'page-by-label': pageByLabel,
  jobs,
  audit,
  'audit-of-million': auditOfMillion,
  start,
  upload,
  transfer,
  explain,
  cli,
  console: webConsole,
  hosts,
  'rollout-plan': rolloutPlan,
  'rollout-hosts': rolloutHosts,
  'rollout-transfer': rolloutTransfer,
  growth,
}
const rounds = Number(process.env.ROUNDS ?? 5)

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined) {
  process.stderr.write(`unknown bench ${unknown}; the benches are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
// as `npm start` does
await ensurePrograms()
const began = Date.now()
const waiting = Object.keys(benches).filter((name) => chosen.length === 0 || chosen.includes(name))
const results: BenchResult[] = []

/** Called after each bench, so that an interrupted run keeps its results. */
function writeResults(): void {
  const seconds = (Date.now() - began) / 1000
  const text = report(results, { began, seconds, waiting })
  writeFileSync(new URL('results.md', import.meta.url), text)
}

/** The original error, when the clean-up failed as well. */
const firstOf = (error: unknown): unknown => (error instanceof SuppressedError ? firstOf(error.suppressed) : error)

for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
  let result: BenchResult
  try {
    result = { name, figures: (await benches[name]?.(rounds)) ?? [] }
  } catch (thrown) {
    // a bench that fails does not stop the others
    const error = firstOf(thrown)
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    result = { name, why: error instanceof Error ? error.message || error.constructor.name : String(error) }
  }
  results.push(result)
  const lines = 'why' in result ? [notMeasured(result)] : result.figures.map(row)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (chosen.length === 0) writeResults()
}
// not exitCode: what a bench that failed has left behind is not waited for
process.exit(results.some((result) => 'why' in result) ? 1 : 0)
