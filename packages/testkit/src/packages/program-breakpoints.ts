import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram, type TestHost } from '../hosts/test-host.ts'

/**
 * Runs its arguments as a program. A breakpoint is a file of lines: before or after, and texts that the command line
 * must contain, which ends with a semicolon. While the file exists the program waits; a second file beside it records that it was reached.
 */
const held = (folder: string): string => `#!/bin/sh
wait_at() {
  for hold in ${folder}/*.hold; do
    { read -r when && [ "$when" = "$1" ] || continue
      while read -r text; do case $words in *"$text"*) ;; *) continue 2 ;; esac; done
    } 2>/dev/null <"$hold" || continue
    : >"$hold.reached"
    turns=0
    while [ -e "$hold" ] && [ "$turns" -lt 225 ]; do sleep 0.2; turns=$((turns + 1)); done
  done
}
words="\${WHARF_PACKAGE_DIR:-} $*;"
wait_at before
"$@"
code=$?
wait_at after
exit "$code"
`

/** Programs that the server runs on a host are started by setsid, except those that store a file. */
const setsid = (folder: string): string => `#!/bin/sh
[ "$1" != -- ] || shift
exec /usr/bin/setsid -- ${folder}/held "$@"
`
const unguarded = ['mkdir', 'link']
const hold =
  (program: string) =>
  (folder: string): string =>
    `#!/bin/sh
exec ${folder}/held /usr/bin/${program} "$@"
`

/** Stops programs on a host from outside; the server itself is unchanged. */
export class ProgramBreakpoints {
  readonly #folder: string
  /** The same as this machine sees it. */
  readonly #folderHere: string
  #count = 0

  private constructor(folder: string, rootHere = '') {
    this.#folder = folder
    this.#folderHere = join(rootHere, folder)
  }

  /** On a host with a root folder of its own. */
  static async onHost(machine: TestHost): Promise<ProgramBreakpoints> {
    const folder = '/run/breakpoints'
    const breakpoints = new ProgramBreakpoints(folder, machine.rootHere)
    await breakpoints.#install('/usr/local/sbin', (text) => machine.exec(text))
    return breakpoints
  }

  /** On this machine; `programs` must be mounted as /usr/local/sbin for the processes to stop. */
  static async onThisMachine(t: {
    after(work: () => Promise<void>): void
  }): Promise<{ breakpoints: ProgramBreakpoints; programs: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-holds-'))
    t.after(async () => rmSync(folder, { recursive: true, force: true }))
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const breakpoints = new ProgramBreakpoints(folder)
    await breakpoints.#install(programs, (text) => runProgram('sh', ['-c', text]))
    return { breakpoints, programs }
  }

  async #install(programs: string, exec: (text: string) => Promise<string>): Promise<void> {
    const folder = this.#folder
    const files = { [`${folder}/held`]: held, [`${programs}/setsid`]: setsid }
    for (const program of unguarded) files[`${programs}/${program}`] = hold(program)
    const writes = Object.entries(files).map(
      ([path, text]) => `cat >${path} <<'end of file'\n${text(folder)}end of file\nchmod +x ${path}`,
    )
    await exec(`mkdir -p ${folder}\n${writes.join('\n')}`)
  }

  /** Before or after the program whose command line contains all of these texts. */
  add(when: 'before' | 'after', words: readonly string[]): void {
    const path = join(this.#folderHere, String(this.#count++))
    writeFileSync(path, `${[when, ...words].join('\n')}\n`)
    renameSync(path, `${path}.hold`)
  }

  /** Resolves when every breakpoint is reached. */
  async waitUntilReached(withinMs = 30_000): Promise<void> {
    for (const deadline = performance.now() + withinMs; ; await delay(50)) {
      const names = this.#names()
      const missing = names.filter((name) => name.endsWith('.hold') && !names.includes(`${name}.reached`))
      if (missing.length === 0) return
      if (performance.now() < deadline) continue
      const texts = missing.map((name) => readFileSync(join(this.#folderHere, name), 'utf8'))
      throw new Error(`these breakpoints were not reached:\n${texts.join('\n')}`)
    }
  }

  release(): void {
    for (const name of this.#names()) rmSync(join(this.#folderHere, name))
  }

  #names(): string[] {
    return readdirSync(this.#folderHere).filter((name) => /\.(hold|reached)$/.test(name))
  }
}
