import { maxEntries } from '../limits.ts'
import { asZipRefusal, refuseArchive } from '../refusal.ts'
import { zipContent } from './zip-content.ts'
import { zipDirectory } from './zip-end.ts'
import { checkLocalHeader, type ZipEntryFacts, zipEntryFacts } from './zip-entry.ts'
import { openZip } from './zip-file.ts'

export interface ZipEntry extends ZipEntryFacts {
  readonly changed: Date
  /** Its data; fails when it is not as long, or not the same, as in the directory. Only before the next entry. */
  content(): AsyncGenerator<Buffer>
}

const directoryEntryBytes = 46

/** The entries of a zip by its directory, each compared with the header before its data. */
export async function* zipEntries(file: string, signal: AbortSignal): AsyncGenerator<ZipEntry> {
  const open = await openZip(file)
  try {
    const directory = await zipDirectory(open)
    if (directory.entries > maxEntries) throw refuseArchive(`it has more than ${maxEntries} entries`)
    const places = new Places(directory.offset)
    let directoryBytes = 0
    for await (const entry of open.zip.eachEntry()) {
      signal.throwIfAborted()
      directoryBytes += directoryEntryBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      const facts = zipEntryFacts(entry)
      const local = await open.zip.readLocalFileHeaderPromise(entry)
      checkLocalHeader(facts.name, entry, local)
      places.add(entry.relativeOffsetOfLocalHeader, local.fileDataStart + entry.compressedSize)
      yield {
        ...facts,
        changed: entry.getLastModDate({ timezone: 'UTC' }),
        content: () => zipContent(open, entry, local.fileDataStart, facts),
      }
    }
    if (directoryBytes !== directory.bytes) throw refuseArchive('the directory of its zip is longer than its entries')
    places.check()
  } catch (error) {
    throw asZipRefusal(error)
  } finally {
    open.zip.close()
  }
}

/** The positions of entries. Entries that share data make a small zip unpack to petabytes. */
class Places {
  readonly #places: [start: number, end: number][] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(start: number, end: number): void {
    this.#places.push([start, end])
  }

  check(): void {
    let free = 0
    for (const [start, end] of this.#places.sort(([a], [b]) => a - b)) {
      if (start < free) throw refuseArchive('entries of its zip overlap')
      free = end
    }
    if (free > this.#limit) throw refuseArchive('entries of its zip overlap its directory')
  }
}
