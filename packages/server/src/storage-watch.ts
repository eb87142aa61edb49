import { join } from 'node:path'
import { sqliteFile } from './database/open.ts'
import type { OpenedDatabase } from './database/sqlite.ts'
import { lastWritePath, newestHeartbeat } from './lost-database.ts'
import { OperatorError } from './platform/operator-error.ts'
import { WatchedFiles } from './platform/watched-files.ts'
import { WriteProbe } from './platform/write-probe.ts'

const watchMs = 1000
const probeMs = 2000

interface Parts {
  readonly database: OpenedDatabase
  readonly settings: { readonly data: string }
  readonly nodeUuid: string
  /** The files that this process writes to are no longer those of the data folder: it must not acknowledge more. */
  readonly onLost: (error: OperatorError) => void
}

/** Watches the data folder: whether it takes writes, and whether the open files are still the ones in it. */
export class StorageWatch {
  readonly #parts: Parts
  readonly #files: WatchedFiles
  readonly #probe: WriteProbe
  readonly #timers: NodeJS.Timeout[] = []
  #isChecking = false

  /** Once the database was written to, so that all its files exist. */
  constructor(parts: Parts) {
    const { database, settings, nodeUuid } = parts
    const { data } = settings
    this.#parts = parts
    this.#files = new WatchedFiles([join(data, 'lock'), ...(database.engine === 'sqlite' ? filesOf(data) : [])])
    const heartbeat = async () => String((await newestHeartbeat(database, nodeUuid)) ?? 0)
    const text = database.engine === 'sqlite' ? { text: heartbeat } : {}
    this.#probe = new WriteProbe([
      { folder: data, name: lastWriteName(data), ...text },
      { folder: join(data, 'uploads'), name: 'probe' },
    ])
  }

  async start(): Promise<void> {
    await this.#probe.run()
    this.#timers.push(
      setInterval(() => void this.#check(), watchMs),
      setInterval(() => void this.#probe.run(), probeMs),
    )
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** One write outside the database, shared by all who wait for it. Does not return while a disk hangs. */
  probe(): Promise<void> {
    return this.#probe.run()
  }

  /** Why calls that write would fail. */
  get refusal(): string | undefined {
    const damage = this.#parts.database.faults?.damage
    return damage === undefined
      ? this.#probe.refusal
      : `the database is damaged (${damage}); stop this server and restore a backup`
  }

  async #check(): Promise<void> {
    const { faults } = this.#parts.database
    if (faults) faults.writeRefusal = this.#probe.hanging
    if (this.#isChecking) return
    this.#isChecking = true
    const fault = await this.#files.findFault()
    this.#isChecking = false
    if (fault === undefined) return
    this.stop()
    this.#parts.onLost(
      new OperatorError(
        `${fault} while this server used it, so changes would be lost: put the original back, or restore a backup (wharf-server restore FILE), then start again`,
      ),
    )
  }
}

const lastWriteName = (data: string): string => lastWritePath(data).slice(data.length + 1)

const filesOf = (data: string): string[] => ['', '-wal', '-shm'].map((end) => sqliteFile(data) + end)
