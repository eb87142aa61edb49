import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const minuteMs = 60_000

const engines = ['sqlite', 'postgres'] as const
type Engine = (typeof engines)[number]

/** What is not left out below runs on SQLite and, where a database is under it, on PostgreSQL too. */
const places: Record<Engine, readonly string[]> = {
  sqlite: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
  postgres: ['packages/{server,database,reliability}/src/**/*.test.ts'],
}

/** They tell how quickly they are answered. */
const judgesTime = /\/reliability\/src\/(load|slow-clients)\//

/** Of the server, where the database has no part in what is shown: the tests would only be run twice. */
const onSqliteOnly = [
  /\/resources\/(hosts\/shell|backup-storage\/drivers|chat-endpoints\/platforms|elaborations|candidate-hosts\/discovery|migration\/(images|hypervisor|export))\//,
  /\/alerts\/(alert-words|templates|webhook)\.test\.ts$/,
  /\/chat-endpoints\/rules\.test\.ts$/,
  /\/hosts\/(killed-server|local-driver|ssh-[\w-]+)\.slow\.test\.ts$/,
  /\/candidate-hosts\/avahi\.long\.test\.ts$/,
  judgesTime,
  /\/software-packages\/(disk-full|hostile-packages|hostile-words|network)\.slow\.test\.ts$/,
]

/** Nodes that share a database share a PostgreSQL. */
const onPostgresOnly = [
  /\/(failover|postgres-faults)\.slow\.test\.ts$/,
  /\/http\/relay\/tls\.slow\.test\.ts$/,
  /\/management-nodes\/[\w-]+\.slow\.test\.ts$/,
  /\/software-packages\/paused-node\.slow\.test\.ts$/,
  /\/reliability\/src\/two-nodes\//,
]

/**
 * Of the slow files, those where PostgreSQL itself is at stake. The queries of the others are tried on both engines by quick
 * files: on the second one they run in the long mode only.
 */
const slowOnPostgres = [
  ...onPostgresOnly,
  /\/(packages\/database|server\/src\/jobs)\//,
  /\/program\/(commands|serve)\.slow\.test\.ts$/,
  /\/reliability\/src\/(alert-delivery|backup-under-load|event-readers|idempotent-creates|nth-failure)\//,
  /\/reliability\/src\/(failing-disk|lost-files)\.slow\.test\.ts$/,
]
/** Each must be of some file: a file that is renamed must not change sides unnoticed. */
export const enginePatterns = [...onSqliteOnly, ...slowOnPostgres]

const isOneOf = (patterns: readonly RegExp[], path: string): boolean => patterns.some((pattern) => pattern.test(path))

/** They need a storage of their own, which `npm run test:storage` starts. */
const ofStorage = /\.storage\.test\.ts$/

/** They put load on the machine, or break parts of it, and judge how it takes that: not beside other tests. */
const demanding = /\/reliability\/src\//
/** Half an hour each in the long mode: whatever runs beside them ends before they do. */
const longest = /\/reliability\/src\/(load|two-nodes)\//
/** For two cores: many of the slow files wait for hosts and processes most of their time. */
const concurrency = 5

const isSlow = /\.slow\.test\.ts$/
const isLong = /\.long\.test\.ts$/
/** Which engine it is the testkit tells: a file that has nothing of it would do the same once more. */
const asksForEngine = /testkit(?!\/any-character)['/]/
/** Slow tests that do more of the same in the long mode ask for it themselves, or leave that to `sampled`. */
const asksForMode = /process\.env\.TEST_LONG|\bsampled\(/

const isLeftForLong = (path: string, engine: Engine): boolean =>
  engine === 'postgres' && isSlow.test(path) && !isOneOf(slowOnPostgres, path)

interface Mode {
  readonly takes: (path: string, engine: Engine) => boolean
  readonly engines: readonly Engine[]
  /** Of the demanding files, those that have the machine to themselves. The others run in pairs. */
  readonly alone?: RegExp
  /** For one test. */
  readonly testMs: number
  /** For everything together; a test file that never ends must not hold up CI for ever. */
  readonly runMs: number
  /** Whether a few files that fail get another chance. What draws anew would have another chance of passing, too. */
  readonly repeats: boolean
  readonly env: Readonly<Record<string, string>>
}

const modes = {
  full: {
    takes: (path, engine) => !isLong.test(path) && !isLeftForLong(path, engine),
    engines,
    alone: judgesTime,
    testMs: 2 * minuteMs,
    runMs: 60 * minuteMs,
    repeats: true,
    env: {},
  },
  unit: {
    takes: (path) => !isLong.test(path) && !isSlow.test(path),
    engines: ['sqlite'],
    alone: judgesTime,
    testMs: 2 * minuteMs,
    runMs: 30 * minuteMs,
    repeats: true,
    env: {},
  },
  // what has no longer form was run by `npm test`, unless it was left for here
  long: {
    takes: (path, engine) =>
      isLong.test(path) ||
      // what is under load and faults has a file of its own for that
      (isLeftForLong(path, engine) && !demanding.test(path)) ||
      (isSlow.test(path) && asksForMode.test(readFileSync(path, 'utf8'))),
    engines,
    // none is alone: half an hour of steady load leaves room for another
    testMs: 90 * minuteMs,
    runMs: 180 * minuteMs,
    repeats: false,
    env: { TEST_LONG: '1' },
  },
} as const satisfies Record<string, Mode>

export interface TestPlan extends Mode {
  /** Nothing was asked for but `npm test`: the checks belong to it, and what the tests provoke together can be judged. */
  readonly isWhole: boolean
  readonly runs: readonly TestPart[]
}

export interface TestPart {
  readonly engine: Engine
  /** As the closing line calls it. */
  readonly name: string
  readonly files: readonly string[]
  readonly concurrency: number
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

  const runs = (values.engine === undefined ? mode.engines : chosen).flatMap((engine) =>
    partsOf(engine, filesFor(engine, mode, patterns, root), mode)
      // A pattern may name no test of the server. Without one, a run that finds nothing is a mistake to report.
      .filter(({ files }, index) => files.length > 0 || (patterns.length === 0 && index === 0)),
  )
  if (runs.length === 0)
    throw new Error(`no test file that this runs has ${patterns.join(' or ')} in its name; npm run test:long runs more`)
  return { ...mode, isWhole: positionals.length === 0 && values.engine === undefined, runs }
}

const partsOf = (engine: Engine, files: readonly string[], { alone }: Mode): TestPart[] => {
  const isAlone = (file: string): boolean => alone?.test(file) ?? false
  const hard = files.filter((file) => demanding.test(file))
  const faults = `${engine}, under load and faults`
  return [
    { engine, name: engine, files: files.filter((file) => !demanding.test(file)), concurrency },
    { engine, name: faults, files: hard.filter((file) => !isAlone(file)), concurrency: 2 },
    { engine, name: `${faults}, one at a time`, files: hard.filter(isAlone), concurrency: 1 },
  ]
}

const filesFor = (engine: Engine, { takes }: Mode, patterns: readonly string[], root: string): string[] =>
  globSync(places[engine], { cwd: root })
    .filter((file) => !isOneOf(engine === 'sqlite' ? onPostgresOnly : onSqliteOnly, file))
    .filter((file) => engine === 'sqlite' || asksForEngine.test(readFileSync(join(root, file), 'utf8')))
    .filter((file) => !ofStorage.test(file) && takes(join(root, file), engine))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort()
    .sort((a, b) => Number(longest.test(b)) - Number(longest.test(a)))
