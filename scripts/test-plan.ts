import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'

const minuteMs = 60_000

const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** Everything runs on SQLite; what has a database under it runs on PostgreSQL too. */
const places: Record<Engine, readonly string[]> = {
  sqlite: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
  postgres: ['packages/server/src/**/*.test.ts'],
}

/** Of the server, what knows no database: the tests would only be run twice. */
const withoutDatabase = [
  /\/src\/(platform|ssh|downloads|hosts\/shell|backup-storage\/drivers|software-packages\/archives|chat-endpoints\/platforms|elaborations|candidate-hosts\/discovery|migration\/(images|hypervisor|export))\//,
  /\/alerts\/(alert-words|templates|webhook)\.test\.ts$/,
  /\/chat-endpoints\/rules\.test\.ts$/,
]

/** They need a storage of their own, which `npm run test:storage` starts. */
const ofStorage = /\.storage\.test\.ts$/

interface Mode {
  readonly leavesOut: RegExp | undefined
  readonly engines: readonly Engine[]
  /** For one test. */
  readonly testMs: number
  /** For one run of everything; a test file that never ends must not hold up CI for ever. */
  readonly runMs: number
  readonly env: Readonly<Record<string, string>>
}

const modes = {
  full: { leavesOut: /\.long\.test\.ts$/, engines, testMs: 2 * minuteMs, runMs: 60 * minuteMs, env: {} },
  unit: {
    leavesOut: /\.(slow|long)\.test\.ts$/,
    engines: ['sqlite'],
    testMs: 2 * minuteMs,
    runMs: 30 * minuteMs,
    env: {},
  },
  long: { leavesOut: undefined, engines, testMs: 90 * minuteMs, runMs: 480 * minuteMs, env: { TEST_LONG: '1' } },
} as const satisfies Record<string, Mode>

export interface TestPlan extends Mode {
  /** Nothing was asked for but `npm test`: the checks belong to it. */
  readonly withChecks: boolean
  /** Every test that there is: what they provoke together can be judged. */
  readonly isWhole: boolean
  readonly runs: readonly { readonly engine: Engine; readonly files: readonly string[] }[]
}

/** [unit | long] [--engine=sqlite | --engine=postgres] [part of a file name]… */
export function planTests(args: readonly string[], root: string): TestPlan {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { engine: { type: 'string' } },
  })
  const [first] = positionals
  const named = first === 'unit' || first === 'long'
  const mode: Mode = named ? modes[first] : modes.full
  const patterns = named ? positionals.slice(1) : positionals
  const chosen = engines.filter((engine) => engine === values.engine)
  if (values.engine !== undefined && chosen.length === 0) throw new Error(`--engine is ${engines.join(' or ')}`)

  const runs = (values.engine === undefined ? mode.engines : chosen)
    .map((engine) => ({ engine, files: matching(filesFor(engine, root), mode, patterns) }))
    // A pattern may name no test of the server. Without one, a run that finds nothing is a mistake to report.
    .filter(({ files }) => files.length > 0 || patterns.length === 0)
  if (runs.length === 0) throw new Error(`no test file has ${patterns.join(' or ')} in its name`)
  const isWhole = patterns.length === 0 && values.engine === undefined && first !== 'unit'
  return { ...mode, withChecks: positionals.length === 0 && values.engine === undefined, isWhole, runs }
}

const filesFor = (engine: Engine, root: string): string[] =>
  globSync(places[engine], { cwd: root }).filter(
    (file) => engine === 'sqlite' || !withoutDatabase.some((part) => part.test(file)),
  )

function matching(files: readonly string[], { leavesOut }: Mode, patterns: readonly string[]): string[] {
  return files
    .filter((file) => !ofStorage.test(file) && !leavesOut?.test(file))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort()
}
