import { setTimeout as delay } from 'node:timers/promises'
import type { RolloutInventory, Wharf } from '@wharf/sdk'
import type { Cli } from '../../cli.ts'
import type { OptionSpecs } from '../../command.ts'
import { CommandError, TimedOutError } from '../../errors.ts'
import { untilInterrupted } from '../../interrupts.ts'
import { supportsUnicode } from '../../language.ts'
import { parseInteger } from '../../option-values.ts'
import { reportReconnects } from '../../outage.ts'
import { coloursFor } from '../../output/colours.ts'
import { RedrawnLines } from '../../output/redrawn-lines.ts'
import { Staleness } from '../../staleness.ts'
import { RolloutFeed } from './rollout-feed.ts'
import { describeState, isActive, nextStep, type RolloutSnapshot } from './snapshot.ts'
import { snapshotChanges } from './snapshot-changes.ts'
import { snapshotLines } from './snapshot-lines.ts'

/** Bursts of changes are read together. */
const minIntervalMs = 200
/** The elapsed time on the screen. */
const clockMs = 1000

export const watchOptions = {
  '--timeout <seconds>': { help: 'stop watching after this time, with exit code 5' },
  '--exit-on-pause': { help: 'stop watching when it pauses and waits for a user, with exit code 1' },
} as const satisfies OptionSpecs

interface WatchFlags {
  readonly timeout?: string
  readonly exitOnPause?: boolean
  /** It was created just now: hosts that have ended before the first read are shown, too. */
  readonly isNew?: boolean
  /** The end that is a success; default: Succeeded. */
  readonly expected?: RolloutInventory['state']
}

interface View {
  show(snapshot: RolloutSnapshot): void
  /** Something else is printed. */
  release(): void
  end(): void
}

/** Shows a rollout until it has ended; Ctrl-C stops watching only. Any end but the expected one is an error. */
export async function watchRollout(
  cli: Cli,
  { uuid, name }: { readonly uuid: string; readonly name: unknown },
  { timeout, exitOnPause = false, isNew = false, expected = 'Succeeded' }: WatchFlags,
): Promise<void> {
  const seconds = parseInteger('--timeout', timeout, { min: 1, max: 999_999 })
  const wharf = await cli.wharf()
  const isScreen = cli.io.stdout.isTTY && cli.out.isTable
  const view: View = isScreen ? new Screen(cli, wharf) : new ChangeLog(cli, isNew)
  const timer = new AbortController()
  const timing = seconds === undefined ? undefined : setTimeout(() => timer.abort(), seconds * 1000)
  const again = `wharf rollout watch ${uuid}`
  try {
    await untilInterrupted(cli, `Stopped watching; the rollout continues: ${again}`, async (interrupted) => {
      const signal = AbortSignal.any([interrupted, timer.signal])
      const rollout = await follow(cli, { wharf, uuid, view, signal, exitOnPause }).catch((error: unknown) => {
        if (!timer.signal.aborted) throw error
        throw new TimedOutError(`rollout ${name} has not ended after ${seconds} s`, `it continues: ${again}`)
      })
      view.end()
      if (rollout.state !== expected)
        throw new CommandError(`rollout ${name} is ${describeState(rollout)}`, nextStep(rollout))
    })
  } finally {
    clearTimeout(timing)
    view.end()
  }
}

/** Returns the rollout when it has ended, or when it waits for a user. */
async function follow(
  cli: Cli,
  watched: { wharf: Wharf; uuid: string; view: View; signal: AbortSignal; exitOnPause: boolean },
): Promise<RolloutInventory> {
  const { wharf, uuid, view, exitOnPause } = watched
  const done = new AbortController()
  const signal = AbortSignal.any([watched.signal, done.signal])
  const feed = new RolloutFeed(wharf, uuid)
  const changes = new Staleness()
  const reconnects = reportReconnects({
    info(text) {
      view.release()
      cli.info(text)
    },
  })
  const listen = async (): Promise<never> => {
    const onConnection = (isOpen: boolean): void => {
      reconnects.onConnection(isOpen)
      if (!isOpen) return
      // changes may have been missed while it was closed
      feed.markAll()
      changes.mark()
    }
    for await (const change of wharf.events({ signal, ...reconnects, onConnection }))
      if (feed.mark(change)) changes.mark()
    throw new Error('the stream of events has ended')
  }
  const show = async (): Promise<RolloutInventory> => {
    for (; ; await delay(minIntervalMs, undefined, { signal })) {
      await changes.marked()
      const snapshot = await feed.read().catch((error: Error) => {
        if (error.name !== 'ConnectionError') throw error
        feed.markAll()
        changes.mark()
        return undefined
      })
      if (snapshot === undefined) continue
      view.show(snapshot)
      const { rollout } = snapshot
      if (!isActive(rollout) || (exitOnPause && waitsForUser(rollout))) return rollout
    }
  }
  const works = [listen(), show()]
  for (const work of works) work.catch(() => {})
  try {
    return await Promise.race(works)
  } finally {
    done.abort()
  }
}

const waitsForUser = ({ state, pauseReason }: RolloutInventory): boolean =>
  state === 'AwaitingApproval' || (state === 'Paused' && pauseReason !== 'Window')

/** For terminals: lines that are redrawn. */
class Screen implements View {
  readonly #cli: Cli
  readonly #wharf: Wharf
  readonly #lines: RedrawnLines
  #snapshot: RolloutSnapshot | undefined
  #clock: NodeJS.Timeout | undefined

  constructor(cli: Cli, wharf: Wharf) {
    this.#cli = cli
    this.#wharf = wharf
    this.#lines = new RedrawnLines(cli.io.stdout)
  }

  show(snapshot: RolloutSnapshot): void {
    this.#snapshot = snapshot
    this.#draw()
    this.#clock ??= setInterval(() => this.#draw(), clockMs)
  }

  release(): void {
    this.#lines.release()
  }

  end(): void {
    clearInterval(this.#clock)
  }

  #draw(): void {
    const { stdout, env } = this.#cli.io
    if (this.#snapshot === undefined) return
    const lines = snapshotLines(this.#snapshot, {
      columns: stdout.columns ?? 80,
      rows: stdout.rows ?? 24,
      unicode: supportsUnicode(env),
      colours: coloursFor(stdout, env),
      now: Date.now(),
      toTime: (text) => this.#wharf.toDate(text).getTime(),
    })
    this.#lines.draw(lines)
  }
}

/** For pipes: a line for each change. */
class ChangeLog implements View {
  readonly #cli: Cli
  readonly #isNew: boolean
  #snapshot: RolloutSnapshot | undefined

  constructor(cli: Cli, isNew: boolean) {
    this.#cli = cli
    this.#isNew = isNew
  }

  show(snapshot: RolloutSnapshot): void {
    const { out } = this.#cli
    for (const { resourceType, record, line } of snapshotChanges(this.#snapshot, snapshot, this.#isNew))
      out.item(out.form === 'name' ? record : { resourceType, record }, line)
    this.#snapshot = snapshot
  }

  release(): void {}

  end(): void {}
}
