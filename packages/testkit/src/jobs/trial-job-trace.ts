import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { releaseFile, stalledFile } from './trial-job.ts'

/** The file in which trial jobs leave their effects. */
export class TrialTrace {
  readonly file: string

  constructor(t: { after(work: () => void): void }) {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-trace-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    this.file = join(folder, 'trace')
  }

  get lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n').slice(0, -1) : []
  }

  /** Releases the steps that `holdAt` blocks. */
  release(): void {
    writeFileSync(releaseFile(this.file), '')
  }

  /** Resolves when the job stalls at `stallAt`. */
  async waitForStall(timeoutMs = 60_000): Promise<void> {
    const until = performance.now() + timeoutMs
    while (!existsSync(stalledFile(this.file))) {
      if (performance.now() > until)
        throw new Error(`the job does not stall; its trace is ${JSON.stringify(this.lines)}`)
      await delay(10)
    }
  }

  /** Resolves when the trace contains this line. */
  async waitForLine(line: string, timeoutMs = 10_000): Promise<void> {
    const until = performance.now() + timeoutMs
    while (!this.lines.includes(line)) {
      if (performance.now() > until) throw new Error(`"${line}" is missing in the trace ${JSON.stringify(this.lines)}`)
      await delay(10)
    }
  }
}
