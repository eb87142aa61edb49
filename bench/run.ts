import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { cli } from './cli.bench.ts'
import { webConsole } from './console.bench.ts'
import { explain } from './explain.bench.ts'
import { hosts } from './hosts.bench.ts'
import { httpQuery } from './http-query.bench.ts'
import { jobs } from './jobs.bench.ts'
import type { Figure } from './measure.ts'
import { pageOfMillion } from './page-of-million.bench.ts'
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
}
const rounds = 5

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined) {
  process.stderr.write(`there is no bench ${unknown}; there are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toLocaleString('en', { maximumFractionDigits: 2 })

const row = (f: Figure): string =>
  `| ${f.name} | ${number(f.value)} ${f.unit} | ${f.peer}: ${number(f.peerValue)} | ${f.ratio.toFixed(2)} ` +
  `(${f.spread.map((one) => one.toFixed(2)).join('–')}) | ${f.aim} | ${f.met === undefined ? '–' : f.met ? 'yes' : '**no**'} |`

const figures: Figure[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  for (const figure of await bench(rounds)) {
    figures.push(figure)
    process.stdout.write(`${row(figure)}\n`)
  }
}

if (chosen.length === 0) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`
  writeFileSync(
    new URL('results.md', import.meta.url),
    `# Figures

\`npm run bench\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}.
Medians of ${rounds} interleaved rounds; in brackets the lowest and highest ratio of a round. Rates per CPU second count
the server's own CPU time, so that they mean the same on a busy machine.

| Work | Wharf | Held against | Ratio | Aim | Met |
|---|---|---|---|---|---|
${figures.map(row).join('\n')}
`,
  )
}
