import { dirname, join } from 'node:path'
import { sqliteFile } from '@wharf/database/open.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { waitAtMost } from '@wharf/platform/abort.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { WatchedFiles } from '@wharf/platform/watched-files.ts'
import { type ProbedFile, WriteProbe } from '@wharf/platform/write-probe.ts'
import { lastWritePath, newestHeartbeat } from './database-checks.ts'

const watchMs = 1000
const probeMs = 2000
/** A hanging disk may never finish an operation. */
const maxStopMs = 5000

interface StorageMonitorDeps {
  readonly database: OpenedDatabase
  readonly settings: { readonly data: string }
  readonly nodeUuid: string
  /** The files that this process writes to are no longer those of the data folder: it must not acknowledge more. */
  readonly onLost: (error: OperatorError) => void
}

/** Watches the data folder: whether it accepts writes, and whether the open files are still its files. */
export class StorageMonitor {
  readonly #deps: StorageMonitorDeps
  readonly #files: WatchedFiles
  readonly #probe: WriteProbe
  readonly #timers: NodeJS.Timeout[] = []
  readonly #checks = new SingleFlight()
  #probing: Promise<void> | undefined
  #isStopped = false

  /** After the first write, so that all files of the database exist. */
  constructor(deps: StorageMonitorDeps) {
    const { database, settings, nodeUuid } = deps
    const { data } = settings
    this.#deps = deps
    if (database.faults) database.faults.onLost = (fault) => this.#lose(fault)
    this.#files = new WatchedFiles([join(data, 'lock'), ...(database.engine === 'sqlite' ? filesOf(data) : [])])
    const heartbeat = async () => String((await newestHeartbeat(database, nodeUuid)) ?? 0)
    const text = database.engine === 'sqlite' ? { text: heartbeat } : {}
    this.#probe = new WriteProbe([
      { folder: data, name: lastWriteName(data), ...text },
      { folder: join(data, 'uploads'), name: 'probe' },
      ...(database.engine === 'sqlite' ? linkedFolder(data) : []),
    ])
  }

  async start(): Promise<void> {
    await this.probe()
    this.#timers.push(
      setInterval(() => void this.#checks.run(() => this.#check()), watchMs),
      setInterval(() => void this.probe(), probeMs),
    )
  }

  /** Stops writing: the shutdown removes the file of the probe. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await waitAtMost(maxStopMs, Promise.all([this.#probing, this.#checks.running]))
  }

  /** One round, unless it is stopped. */
  async probe(): Promise<void> {
    if (!this.#isStopped) this.#probing = this.#probe.run()
    await this.#probing
  }

  /** Why calls that write would fail. */
  get refusal(): string | undefined {
    const { damage, disk } = this.#deps.database.faults ?? {}
    return damage === undefined
      ? (disk?.hanging ?? this.#probe.refusal)
      : `the database is damaged (${damage}); stop this server and restore a backup`
  }

  async #check(): Promise<void> {
    const fault = await this.#files.findFault()
    if (fault === undefined || this.#isStopped) return
    this.#lose(fault)
  }

  #lose(fault: string): void {
    void this.stop()
    this.#deps.onLost(new OperatorError(`${fault} while this server used it${remedyOf(fault)}`))
  }
}

function remedyOf(fault: string): string {
  if (/\/lock was /.test(fault))
    return ': another server may use this data folder; make sure that none does, then start again'
  const remedy = `, so changes may be lost: put the original back, or move wharf.db* away and restore a backup (wharf-server restore FILE), then start again`
  return fault.endsWith('truncated')
    ? `${remedy}. A VACUUM or checkpoint by another program truncates as well and loses nothing: only start again`
    : remedy
}

const lastWriteName = (data: string): string => lastWritePath(data).slice(data.length + 1)

/** The database may be on another disk, by a link in the data folder. */
function linkedFolder(data: string): ProbedFile[] {
  const folder = dirname(sqliteFile(data))
  return folder === data ? [] : [{ folder, name: 'probe' }]
}

const filesOf = (data: string): string[] => ['', '-wal', '-shm'].map((end) => sqliteFile(data) + end)
