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

  /** Lets the steps go on that `holdAt` holds. */
  release(): void {
    writeFileSync(releaseFile(this.file), '')
  }

  /** Ends when its job stands still where `stallAt` says. */
  async waitForStall(timeoutMs = 60_000): Promise<void> {
    const until = performance.now() + timeoutMs
    while (!existsSync(stalledFile(this.file))) {
      if (performance.now() > until) throw new Error(`the job does not get there, only ${JSON.stringify(this.lines)}`)
      await delay(10)
    }
  }

  /** Ends when this line stands there. */
  async waitForLine(line: string, timeoutMs = 10_000): Promise<void> {
    const until = performance.now() + timeoutMs
    while (!this.lines.includes(line)) {
      if (performance.now() > until) throw new Error(`"${line}" did not happen, only ${JSON.stringify(this.lines)}`)
      await delay(10)
    }
  }
}
