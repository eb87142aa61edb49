import { isUtf8 } from 'node:buffer'
import { ApiError } from '@wharf/platform/api-error.ts'
import { entryParts } from './entry-name.ts'
import { EntryTree } from './entry-tree.ts'
import { refuseArchive, refuseEntry } from './refusal.ts'

/** Longer than a name and a target; a longer record is not a valid listing. */
const maxRecordBytes = 64 * 1024
const recordEnds = /\0/
const sharedRecordEnds = /[\0\n]/

/** What follows each section. */
const nextSection = {
  '=folders': '=files',
  '=files': '=links',
  '=links': '=other',
  '=other': '=privileged',
  '=privileged': '=shared',
  '=shared': '=end',
  '=entries': '=end',
  '=end': undefined,
} as const
type Section = keyof typeof nextSection

/** The first of a listing by sections, and the only one of a listing in one pass. */
const firstSections = ['=folders', '=entries'] as const

/** The sections to which the records of a listing in one pass belong, by their first character. */
const kinds: Readonly<Record<string, Section>> = {
  d: '=folders',
  f: '=files',
  l: '=links',
  o: '=other',
  p: '=privileged',
  s: '=shared',
}

/**
 * Reads the listing of an unpacked folder (`listScript`) line by line, as it arrives from the host, and throws unless
 * it is complete and contains only files, folders and links that stay inside.
 */
export class ListingReader {
  readonly #tree = new EntryTree()
  /** In Latin-1, where every byte is one character. */
  #rest = ''
  #section: Section | undefined
  #link: string | undefined
  /** Link counts below the folder, and in total. */
  readonly #shared = new Map<string, { names: number; allNames: number }>()

  line(line: string): void {
    let text = this.#rest + Buffer.from(line, 'base64').toString('latin1')
    for (let end = this.#recordEnd(text); end !== -1; end = this.#recordEnd(text)) {
      this.#record(text.slice(0, end))
      text = text.slice(end + 1)
    }
    if (text.length > maxRecordBytes) throw notListed()
    this.#rest = text
  }

  end(): void {
    if (this.#section !== '=end') throw notListed()
    for (const { names, allNames } of this.#shared.values()) {
      if (names !== allNames) throw refuseArchive('the host has unpacked a hard link to a file outside the folder')
    }
  }

  #recordEnd(text: string): number {
    return text.search(this.#section === '=shared' ? sharedRecordEnds : recordEnds)
  }

  #record(record: string): void {
    if (this.#link !== undefined) {
      this.#tree.symbolicLink(this.#link, entryParts(this.#link), decoded(record))
      this.#link = undefined
    } else if (record.startsWith('=')) this.#begin(record)
    else if (this.#section === '=entries') this.#recordOf(kinds[record.charAt(0)], record.slice(1))
    else this.#recordOf(this.#section, record)
  }

  #recordOf(section: Section | undefined, record: string): void {
    if (section === '=shared') this.#count(record)
    else if (record.startsWith('.')) this.#entry(section, decoded(record.replace(/^\.\//, '')))
    else throw notListed()
  }

  /** Each section once and in order, which proves that nothing is missing. */
  #begin(record: string): void {
    const section = this.#section
    const next = (section === undefined ? firstSections : [nextSection[section]]).find((name) => name === record)
    if (next === undefined) throw notListed()
    this.#section = next
  }

  #entry(section: Section | undefined, name: string): void {
    switch (section) {
      case '=folders':
        this.#tree.folder(name, entryParts(name))
        break
      case '=files':
        this.#tree.file(name, entryParts(name))
        break
      case '=links':
        this.#link = name
        break
      case '=other':
        throw refuseEntry(name, 'became neither a file nor a folder nor a link on the host')
      case '=privileged':
        throw refuseEntry(name, 'kept a setuid, setgid or sticky bit on the host')
      default:
        throw notListed()
    }
  }

  #count(record: string): void {
    if (record === '') return
    const [, allNames, file] = /^([0-9]+) ([0-9]+:[0-9]+)$/.exec(record) ?? []
    if (allNames === undefined || file === undefined) throw notListed()
    const names = (this.#shared.get(file)?.names ?? 0) + 1
    this.#shared.set(file, { names, allNames: Number(allNames) })
  }
}

function decoded(record: string): string {
  const bytes = Buffer.from(record, 'latin1')
  const text = bytes.toString('utf8')
  if (!isUtf8(bytes)) throw refuseEntry(text, 'has a name or target that is not valid UTF-8')
  return text
}

/** The listing is incomplete or invalid: an error of the host, not of the archive. */
const notListed = () => new ApiError('SoftwarePackage.1300', 'what the host has unpacked could not be listed')
