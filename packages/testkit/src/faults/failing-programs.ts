import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCalls, type SeenCalls, straceArguments, type WatchedCalls } from './failing-calls.ts'

/**
 * In place of sh. Counts the shells that a server starts on its own machine as a host, and runs those that are to be
 * watched, with all that they start, under strace. Programs that are already traced are left alone.
 */
const sh = (state: string): string => `#!/bin/sh
if [ -e ${state}/watch ]; then
  echo >>${state}/begun
  number=$(wc -l <${state}/begun)
  while read -r name tracer; do [ "$name" != TracerPid: ] || break; done </proc/self/status
  read -r watched <${state}/watch
  if [ "$tracer" = 0 ] && { [ "$watched" = all ] || [ "$watched" = "$number" ]; }; then . ${state}/strace; fi
fi
exec /bin/sh "$@"
`

/** The programs that a server runs on its own machine, each started by a shell. */
export class FailingPrograms {
  /** What /usr/local/sbin must be for the server; see `interceptedServer`. */
  readonly folder: string
  readonly #state: string

  private constructor(state: string) {
    this.#state = state
    this.folder = join(state, 'programs')
  }

  static make(t: { after(work: () => Promise<void>): void }): FailingPrograms {
    const state = mkdtempSync(join(tmpdir(), 'wharf-programs-'))
    t.after(async () => rmSync(state, { recursive: true, force: true }))
    const programs = new FailingPrograms(state)
    mkdirSync(programs.folder)
    writeFileSync(join(programs.folder, 'sh'), sh(state), { mode: 0o755 })
    return programs
  }

  /** From now on: the first program that is started has number 1. */
  watch(program: number | 'all', watched: WatchedCalls): void {
    rmSync(this.#calls, { recursive: true, force: true })
    mkdirSync(this.#calls)
    const command = [...straceArguments(watched, `${this.#calls}/$number`), '-f'].map((word) => `"${word}"`).join(' ')
    writeFileSync(join(this.#state, 'strace'), `exec ${command} /bin/sh "$@"\n`)
    writeFileSync(join(this.#state, 'begun'), '')
    writeFileSync(join(this.#state, 'watch'), `${program}\n`)
  }

  /** What the watched ones did, by their numbers. */
  end(): ReadonlyMap<number, SeenCalls> {
    rmSync(join(this.#state, 'watch'), { force: true })
    return new Map(readdirSync(this.#calls).map((name) => [Number(name), readCalls(join(this.#calls, name))]))
  }

  get #calls(): string {
    return join(this.#state, 'calls')
  }
}
