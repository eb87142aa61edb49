import { writeFileSync } from 'node:fs'
import { cli } from './cli.bench.ts'
import { webConsole } from './console.bench.ts'
import { explain } from './explain.bench.ts'
import { growth } from './growth.bench.ts'
import { hosts } from './hosts.bench.ts'
import { httpQuery } from './http-query.bench.ts'
import { jobs } from './jobs.bench.ts'
import type { Figure } from './measure.ts'
import { pageOfMillion } from './page-of-million.bench.ts'
import { report, row } from './report.ts'
import { start } from './start.bench.ts'
import { transfer } from './transfer.bench.ts'
import { upload } from './upload.bench.ts'

/** `npm run bench` runs all and writes results.md; `npm run bench -- jobs` runs one and only prints. */
const benches = {
  'http-query': httpQuery,
  'page-of-million': pageOfMillion,
  jobs,
  start,
  upload,
  transfer,
  explain,
  cli,
  console: webConsole,
  hosts,
  growth,
}
const rounds = 5

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined) {
  process.stderr.write(`there is no bench ${unknown}; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  for (const figure of await bench(rounds)) {
    figures.push(figure)
    process.stdout.write(`${row(figure)}\n`)
  }
}

if (chosen.length === 0) writeFileSync(new URL('results.md', import.meta.url), report(figures, rounds))
