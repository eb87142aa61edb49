import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { Log } from '@wharf/platform/log.ts'

/** NTP keeps clocks within milliseconds; a larger error means that nothing synchronises the clock. */
const warnMs = 60_000
/** The tolerance of clients and of the signatures of other systems (S3, chats). */
const refuseMs = 15 * 60_000
const repeatWarningMs = 10 * 60_000

type Severity = 'ok' | 'off' | 'far-off'

/** Compares the clock of this machine with the database's, whose time the heartbeat measures. */
export class ClockCheck {
  readonly #clock: Pick<DatabaseClock, 'now' | 'ownErrorMs'>
  readonly #log: Log
  #logged: Severity = 'ok'
  #loggedAt = 0

  constructor(clock: Pick<DatabaseClock, 'now' | 'ownErrorMs'>, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** A warning for the operator; undefined when the clocks agree. */
  get warning(): string | undefined {
    return this.#severity === 'ok' ? undefined : this.#text
  }

  /** Why this node must not receive calls. */
  get refusal(): string | undefined {
    return this.#severity === 'far-off' ? this.#text : undefined
  }

  /** After every heartbeat: logs a change, and repeats a warning every ten minutes. */
  report(): void {
    const severity = this.#severity
    const isChanged = severity !== this.#logged
    if (!isChanged && (severity === 'ok' || performance.now() - this.#loggedAt < repeatWarningMs)) return
    this.#logged = severity
    this.#loggedAt = performance.now()
    const fields = { clockErrorSeconds: Math.round(this.#clock.ownErrorMs / 1000) }
    if (severity === 'ok') this.#log.info(fields, 'the clock of this node agrees with the database again')
    else this.#log.warn(fields, this.#text)
  }

  get #severity(): Severity {
    const errorMs = Math.abs(this.#clock.ownErrorMs)
    if (errorMs > refuseMs) return 'far-off'
    return errorMs > warnMs ? 'off' : 'ok'
  }

  get #text(): string {
    const { ownErrorMs } = this.#clock
    const seconds = Math.round(Math.abs(ownErrorMs) / 1000)
    const direction = ownErrorMs > 0 ? 'ahead of' : 'behind'
    const databaseTime = new Date(this.#clock.now()).toISOString()
    return `the clock of this node is ${seconds} s ${direction} the database's (${databaseTime}); synchronise both with NTP`
  }
}
