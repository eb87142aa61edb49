import { access, constants, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytesOf, leastFreeBytes } from './data-disk.ts'
import { reasonOf } from './operator-error.ts'
import { SingleFlight } from './single-flight.ts'

/** Of a whole round, whose steps also wait for the event loop: `HangProbe` measures the disk of the database itself. */
const maxWriteMs = 5000
/** Several rounds in a row have failed to start. */
const maxAgeMs = 15_000

/** Overwritten in each round; of several files on one disk only the first is written. */
export interface ProbedFile {
  readonly folder: string
  readonly name: string
  /** The content until the next round; undefined: the file is removed after the write. */
  text?(): Promise<string | undefined>
}

/** One write per disk is enough, since every sync wears it. */
type IsFirst = (folder: string) => Promise<boolean>

/** Detects disks of this node that do not accept writes, by periodic small writes. */
export class WriteProbe {
  readonly #files: readonly ProbedFile[]
  #startedAt: number | undefined
  #succeededAt = performance.now()
  #failure: string | undefined
  readonly #flight = new SingleFlight()

  constructor(files: readonly ProbedFile[]) {
    this.#files = files
  }

  /** Why calls that write would fail. */
  get refusal(): string | undefined {
    return this.#hanging ?? this.#failure ?? this.#stale
  }

  /** A write that does not return. */
  get #hanging(): string | undefined {
    const ms = this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt
    return ms > maxWriteMs
      ? `the disk of ${this.#folders} has not finished a write for ${Math.round(ms / 1000)} s`
      : undefined
  }

  get #stale(): string | undefined {
    const ms = performance.now() - this.#succeededAt
    return ms > maxAgeMs ? `the last write to ${this.#folders} was ${Math.round(ms / 1000)} s ago` : undefined
  }

  get #folders(): string {
    return this.#files.map(({ folder }) => folder).join(' or ')
  }

  /** One round; a round that hangs is not overlapped by another. */
  run(): Promise<void> {
    return this.#flight.run(() =>
      this.#round().finally(() => {
        this.#startedAt = undefined
      }),
    )
  }

  async #round(): Promise<void> {
    this.#startedAt = performance.now()
    const synced = new Set<number>()
    const isFirst: IsFirst = async (folder) => {
      const { dev } = await stat(folder)
      return !synced.has(dev) && synced.add(dev).has(dev)
    }
    for (const file of this.#files) {
      const failure = await failureOf(file, isFirst)
      if (failure !== undefined) {
        this.#failure = failure
        return
      }
    }
    this.#failure = undefined
    this.#succeededAt = performance.now()
  }
}

async function failureOf(file: ProbedFile, isFirst: IsFirst): Promise<string | undefined> {
  try {
    if (await isFirst(file.folder)) await write(file)
    else await access(file.folder, constants.W_OK)
    const freeBytes = await freeBytesOf(file.folder)
    if (freeBytes >= leastFreeBytes) return undefined
    return `the disk of ${file.folder} is full: ${Math.floor(freeBytes / 1024)} KiB free; free space there`
  } catch (error) {
    return `${file.folder} cannot be written: ${reasonOf(error)}`
  }
}

/** Into a new file, which needs permission, a name, a block and the disk, like other writes. */
async function write({ folder, name, text }: ProbedFile): Promise<void> {
  const temporary = join(folder, `${name}.new`)
  const kept = await text?.()
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(kept ?? 'probe\n')
      await file.datasync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  if (kept === undefined) await rm(temporary)
  else await rename(temporary, join(folder, name))
}
