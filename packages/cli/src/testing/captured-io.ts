import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io, Screen } from '../io.ts'
import { run } from '../run.ts'

interface World {
  env?: Record<string, string>
  home?: string
  input?: string
  answers?: string[]
  /** A terminal of so many columns. */
  columns?: number
}

/** A command in this process, with its words caught: what tests run it by. */
export class CapturedIo implements Io {
  stdoutText = ''
  stderrText = ''
  readonly env: Record<string, string>
  readonly home: string
  readonly serverData = undefined
  readonly stdout: Screen
  readonly stderr: Screen
  exitedNow: number | undefined
  readonly #input: string
  readonly #answers: string[]
  readonly #interrupts = new Set<() => void>()

  constructor({ env = {}, home = '/nowhere', input = '', answers = [], columns }: World = {}) {
    this.env = env
    this.home = home
    this.#input = input
    this.#answers = answers
    const screen = (write: (text: string) => void): Screen => ({ write, isTTY: columns !== undefined, columns })
    this.stdout = screen((text) => {
      this.stdoutText += text
    })
    this.stderr = screen((text) => {
      this.stderrText += text
    })
  }

  readInput = async (): Promise<string> => this.#input

  async *inputStream(): AsyncIterable<Uint8Array> {
    yield Buffer.from(this.#input)
  }

  ask = async (): Promise<string | undefined> => this.#answers.shift()

  /** What a process would trust; the tests of TLS start one. */
  readonly trusted: string[] = []

  trustCertificates(certificates: readonly string[]): void {
    this.trusted.push(...certificates)
  }

  skipCertificateChecks(): void {
    this.trusted.push('any')
  }

  onInterrupt(listener: () => void): () => void {
    this.#interrupts.add(listener)
    return () => this.#interrupts.delete(listener)
  }

  exitNow(code: number): void {
    this.exitedNow = code
  }

  /** Ctrl-C */
  interrupt(): void {
    for (const listener of this.#interrupts) listener()
  }

  get isListening(): boolean {
    return this.#interrupts.size > 0
  }
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function runCaptured(argv: readonly string[], world: World = {}): Promise<Ran> {
  const io = new CapturedIo(world)
  const code = await run(argv, io)
  return { code, stdout: io.stdoutText, stderr: io.stderrText }
}

/** A folder for the settings of one test. */
export function freshHome(t: { after(work: () => void): void }): string {
  const home = mkdtempSync(join(tmpdir(), 'wharf-home-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** As the admin of a server that a test has started. */
export const environmentOf = (bootstrap: {
  url: string
  accessKeyId: string
  accessKeySecret: string
}): Record<string, string> => ({
  WHARF_URL: bootstrap.url,
  WHARF_ACCESS_KEY_ID: bootstrap.accessKeyId,
  WHARF_ACCESS_KEY_SECRET: bootstrap.accessKeySecret,
})
