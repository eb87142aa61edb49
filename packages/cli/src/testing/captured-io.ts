import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io, OutputStream } from '../io.ts'
import { run } from '../run.ts'

export type PromptAnswer = string | ((shown: string) => string)

interface CapturedIoOptions {
  env?: Record<string, string>
  home?: string
  input?: string
  /** What the user types at each prompt, or how it follows from what is shown. */
  answers?: PromptAnswer[]
  /** Simulates a terminal of this width. */
  columns?: number
}

/** Runs a command in this process and captures its output. */
export class CapturedIo implements Io {
  stdoutText = ''
  stderrText = ''
  readonly env: Record<string, string>
  readonly home: string
  readonly serverData = undefined
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  exitedNow: number | undefined
  readonly #input: string
  readonly #answers: PromptAnswer[]
  readonly #interrupts = new Set<() => void>()

  constructor({ env = {}, home = '/nowhere', input = '', answers = [], columns }: CapturedIoOptions = {}) {
    this.env = env
    this.home = home
    this.#input = input
    this.#answers = answers
    const stream = (write: (text: string) => void): OutputStream => ({
      write,
      isTTY: columns !== undefined,
      columns,
      rows: columns && 24,
    })
    this.stdout = stream((text) => {
      this.stdoutText += text
    })
    this.stderr = stream((text) => {
      this.stderrText += text
    })
  }

  readInput = async (): Promise<string> => this.#input

  async *inputStream(): AsyncIterable<Uint8Array> {
    yield Buffer.from(this.#input)
  }

  prompt = async (): Promise<string | undefined> => {
    const answer = this.#answers.shift()
    return typeof answer === 'function' ? answer(this.stderrText) : answer
  }

  /** The certificates that a process would trust; the TLS tests start a process. */
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

  /** The URLs that a desktop would open. */
  readonly openedUrls: string[] = []

  async openUrl(url: string): Promise<boolean> {
    this.openedUrls.push(url)
    return true
  }

  async flush(): Promise<void> {}

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

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function runCaptured(argv: readonly string[], options: CapturedIoOptions = {}): Promise<CommandResult> {
  const io = new CapturedIo(options)
  const code = await run(argv, io)
  return { code, stdout: io.stdoutText, stderr: io.stderrText }
}

/** A home folder for one test. */
export function freshHome(t: { after(work: () => void): void }): string {
  const home = mkdtempSync(join(tmpdir(), 'wharf-home-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The environment of the admin of a test server. */
export const environmentOf = (bootstrap: {
  url: string
  accessKeyId: string
  accessKeySecret: string
}): Record<string, string> => ({
  WHARF_URL: bootstrap.url,
  WHARF_ACCESS_KEY_ID: bootstrap.accessKeyId,
  WHARF_ACCESS_KEY_SECRET: bootstrap.accessKeySecret,
})
