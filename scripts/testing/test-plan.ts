import { hash } from 'node:crypto'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'

const minuteMs = 60_000

/**
 * Processes at a time, for two cores: many of the slow files wait for hosts and processes most of their time. Loading the
 * server costs more than most files do with it, so each of them runs as many files as it can.
 */
export const concurrency = 5

/** A process takes at least about as many before it is large; one that finds no file left ends at once. */
const filesPerProcess = 20

const engines = ['postgres', 'sqlite'] as const
export type Engine = (typeof engines)[number]

/** What the suffixes of a test file decide: `name[.engines|.postgres][.browser|.isolated|.alone][.slow|.long|.storage].test.ts`. */
export interface TestKind {
  readonly engines: readonly Engine[]
  /**
   * `browser`: in one process with all others, whose browser they share. `isolated`: in a process of its own. `alone`:
   * without any other test on the machine.
   */
  readonly placement: 'shared' | 'browser' | 'isolated' | 'alone'
  readonly speed: 'quick' | 'slow' | 'long' | 'storage'
}

const suffixes =
  /^[^.]+(?:\.(?<engines>engines|postgres))?(?:\.(?<placement>browser|isolated|alone))?(?:\.(?<speed>slow|long|storage))?\.test\.ts$/

export function testKind(file: string): TestKind {
  const match = suffixes.exec(file.slice(file.lastIndexOf('/') + 1))
  if (match === null)
    throw new Error(
      `${file}: the suffixes of a test file are [.engines|.postgres][.browser|.isolated|.alone][.slow|.long|.storage].test.ts`,
    )
  const { engines: word, placement = 'shared', speed = 'quick' } = match.groups ?? {}
  return {
    engines: word === 'engines' ? engines : word === 'postgres' ? ['postgres'] : ['sqlite'],
    placement: placement as TestKind['placement'],
    speed: speed as TestKind['speed'],
  }
}

interface Mode {
  readonly takes: (kind: TestKind, engine: Engine, file: string) => boolean
  /** Files `alone` that run at the same time. */
  readonly aloneConcurrency: number
  readonly testMs: number
  /** For the whole run: a test file that never ends must not block CI indefinitely. */
  readonly runMs: number
  /** Whether a few files that fail run a second time. Random tests would only draw other values. */
  readonly repeats: boolean
  readonly env: Readonly<Record<string, string>>
}

const isOn = ({ engines }: TestKind, engine: Engine): boolean => engines.includes(engine)

const hasDatabase = /^packages\/(server|reliability)\//

const modes = {
  full: {
    takes: (kind, engine) => isOn(kind, engine) && (kind.speed === 'quick' || kind.speed === 'slow'),
    aloneConcurrency: 1,
    testMs: 2 * minuteMs,
    runMs: 60 * minuteMs,
    repeats: true,
    env: {},
  },
  unit: {
    takes: (kind, engine) => isOn(kind, engine) && kind.speed === 'quick',
    aloneConcurrency: 1,
    testMs: 2 * minuteMs,
    runMs: 30 * minuteMs,
    repeats: true,
    env: {},
  },
  long: {
    // slow files do more when TEST_LONG is set, and those with a database run on the engine that `npm test` leaves out
    takes: (kind, engine, file) =>
      (kind.speed === 'long' && isOn(kind, engine)) ||
      (kind.speed === 'slow' && (isOn(kind, engine) || (engine === 'postgres' && hasDatabase.test(file)))),
    // half an hour of steady load leaves capacity for a second file
    aloneConcurrency: 2,
    testMs: 90 * minuteMs,
    runMs: 240 * minuteMs,
    repeats: false,
    env: { TEST_LONG: '1' },
  },
} as const satisfies Record<string, Mode>

/** Files that run one after the other in one process. A file of several processes runs in the first that gets to it. */
export interface TestProcess {
  readonly engine: Engine
  readonly files: readonly string[]
  /** Once it is large, it leaves the other files to a process after it. */
  readonly leavesFiles?: boolean
}

export interface TestPlan extends Mode {
  /** True for plain `npm test`, which includes the checks and judges all recorded failures. */
  readonly isWhole: boolean
  /** Whether the most expensive files are listed at the end. */
  readonly listsCosts: boolean
  readonly engines: readonly Engine[]
  readonly together: readonly TestProcess[]
  readonly alone: readonly TestProcess[]
}

/** [unit | long] [--engine=sqlite | --engine=postgres] [--costs] [part of a file name]… */
export function planTests(args: readonly string[], root: string): TestPlan {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { engine: { type: 'string' }, costs: { type: 'boolean', default: false } },
  })
  const [first] = positionals
  const named = first === 'unit' || first === 'long'
  const mode: Mode = named ? modes[first] : modes.full
  const patterns = named ? positionals.slice(1) : positionals
  const chosen = engines.filter((engine) => engine === values.engine)
  if (values.engine !== undefined && chosen.length === 0) throw new Error('--engine is sqlite or postgres')

  const files = testFiles(root).filter(
    (file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)),
  )
  const used = values.engine !== undefined ? chosen : first === 'unit' ? (['sqlite'] as const) : engines
  const ofEngine = (engine: Engine) =>
    files.map((file) => ({ file, ...testKind(file) })).filter((kind) => mode.takes(kind, engine, kind.file))
  const planned = used.map((engine) => ({ engine, kinds: ofEngine(engine) })).filter(({ kinds }) => kinds.length > 0)
  if (planned.length === 0 && patterns.length > 0)
    throw new Error(`no test file that this runs has ${patterns.join(' or ')} in its name; npm run test:long runs more`)

  const group = (wanted: (kind: PlannedFile) => boolean): TestProcess[] =>
    planned
      .map(({ engine, kinds }) => ({ engine, files: kinds.filter(wanted).map(({ file }) => file) }))
      .filter(({ files }) => files.length > 0)
  const single = (wanted: (kind: PlannedFile) => boolean): TestProcess[] =>
    group(wanted).flatMap(({ engine, files }) => files.map((file) => ({ engine, files: [file] })))
  const isShared = ({ placement, speed }: PlannedFile) => placement === 'shared' && speed !== 'long'
  const shared = group((file) => isShared(file) && !fakesBrowser(file)).map(({ engine, files }) => ({
    engine,
    files: mixed(files).toSorted(slowFirst),
    leavesFiles: files.length > 1,
  }))
  return {
    ...mode,
    isWhole: positionals.length === 0 && values.engine === undefined,
    listsCosts: values.costs,
    engines: used,
    // the longest process first; those that load the machine follow one another, and then make way for more that share files
    together: [
      ...group(({ placement }) => placement === 'browser'),
      ...shared,
      ...group((file) => isShared(file) && fakesBrowser(file)),
      ...single(({ placement }) => placement === 'isolated'),
      ...single(({ placement, speed }) => placement === 'shared' && speed === 'long'),
      ...shared.flatMap((first) => processesAfter(first)),
    ],
    alone: single(({ placement }) => placement === 'alone'),
  }
}

/** The last one takes all files that are left. */
function processesAfter(first: TestProcess): TestProcess[] {
  const { length } = first.files
  const count = Math.min(length, Math.max(concurrency, Math.ceil(length / filesPerProcess)))
  return Array.from({ length: count - 1 }, (_, index) => ({ ...first, leavesFiles: index < count - 2 }))
}

interface PlannedFile extends TestKind {
  readonly file: string
}

/** The quick tests of the console define what a browser has in their process, which would be a browser for clients of other tests. */
const fakesBrowser = ({ file, speed }: PlannedFile): boolean =>
  speed === 'quick' && file.startsWith('packages/console/')

export const testFiles = (root: string): string[] =>
  globSync('{packages/*/src,scripts,bench}/**/*.test.*', { cwd: root }).sort()

/** In an order that is the same in every run, and not that of folders: tests of lost hosts wait, and all processes would wait at once. */
const mixed = (files: readonly string[]): string[] =>
  files
    .map((file) => ({ file, key: hash('sha1', file) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ file }) => file)

/** So that the end of the run does not wait for one of them. */
const slowFirst = (one: string, other: string): number =>
  Number(testKind(one).speed === 'quick') - Number(testKind(other).speed === 'quick')
