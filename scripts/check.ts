// `npm run check`: all static checks of the code.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const colors = process.stdout.hasColors?.() ? 'force' : 'off'

/** In node_modules. The links in `.bin` differ between versions of npm when two packages have a program of one name. */
const tsc = ['@typescript/native/bin/tsc', '--checkers', '1'] as const
const checks: Record<string, readonly [tool: string, ...options: string[]]> = {
  'format and lint': ['@biomejs/biome/bin/biome', 'ci', `--colors=${colors}`, '--error-on-warnings', '.'],
  types: [...tsc, '-p', 'tsconfig.json'],
  'types of the contract': [...tsc, '-p', 'packages/contract/tsconfig.json'],
  'types of the SDK, on Node 20': [...tsc, '-p', 'packages/sdk/tsconfig.json'],
  'types of the command, on Node 20': [...tsc, '-p', 'packages/cli/tsconfig.json'],
  'types of the console': [...tsc, '-p', 'packages/console/tsconfig.json'],
  boundaries: ['dependency-cruiser/bin/dependency-cruiser.mjs', 'packages', 'scripts', 'bench'],
  'dead code': ['knip/bin/knip.js', '--no-config-hints'],
}

interface Outcome {
  readonly passed: boolean
  readonly output: string
}

/** The tools are JavaScript: run by this Node they get the pinned one, not the one their first line finds. */
function run(tool: string, options: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join('node_modules', tool), ...options], {
    cwd: root,
    // the compiler is a Go program: with more memory between collections, and one checker, it takes half of the CPU time
    env: { ...process.env, GOGC: '400' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ passed: exitCode === 0, output: output.join('') }))
  })
}

async function check(name: string, [tool, ...options]: readonly [string, ...string[]]): Promise<boolean> {
  const started = performance.now()
  const { passed, output } = await run(tool, options)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${passed ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (!passed) console.log(`${output.trimEnd()}\n`)
  return passed
}

const outcomes = await Promise.all(Object.entries(checks).map(([name, command]) => check(name, command)))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
