import { isUtf8 } from 'node:buffer'
import type { ArchiveEntry } from '../archive-entry.ts'
import { refuseEntry } from '../refusal.ts'
import { decimal } from './pax-records.ts'
import type { TarExtensions } from './tar-extensions.ts'
import { type TarHeader, tarText } from './tar-header.ts'

export interface TarEntry extends ArchiveEntry {
  /** Bytes of data that follow in the archive. */
  readonly storedBytes: number
}

/** From this size on the header field is too small, and ustar writes zero. */
const headerSizeLimit = 8 ** 11

export function tarEntry(header: TarHeader, extensions: TarExtensions): TarEntry {
  const [name, ...otherNames] = readings(names(header, extensions)) as [string, ...string[]]
  checkFixedFields(name, header)
  const kind = kindOf(header, name)
  const isLink = kind === 'symbolic link' || kind === 'hard link'
  const [target = '', ...otherTargets] = isLink ? readings(targets(header, extensions)) : []
  const storedBytes = sizeOf(name, header, extensions)
  // programs differ in whether data follows here
  if (kind !== 'file' && storedBytes !== 0) throw refuseEntry(name, `is a ${kind} but has a size`)
  return { kind, name, otherNames, target, otherTargets, storedBytes }
}

const slash = Buffer.from('/')

/** Every name that some program reads, the one of GNU tar first. */
function names({ name, prefix, dialect }: TarHeader, { longName, pax }: TarExtensions): Buffer[] {
  const short = tarText(name)
  const withPrefix = prefix[0] === 0 ? undefined : Buffer.concat([tarText(prefix), slash, short])
  // every program that supports ustar joins the two; in other dialects some do
  const plain = dialect === 'ustar' ? [withPrefix ?? short] : [short, withPrefix]
  return [pax?.values.get('GNU.sparse.name'), pax?.values.get('path'), longName, ...plain].filter(isGiven)
}

function targets({ linkName }: TarHeader, { longLink, pax }: TarExtensions): Buffer[] {
  return [pax?.values.get('linkpath'), longLink, tarText(linkName)].filter(isGiven)
}

const isGiven = <T>(value: T | undefined): value is T => value !== undefined

/** The first one counts and must be text; the others may be truncated within a character. */
function readings([first, ...others]: Buffer[]): string[] {
  const bytes = first as Buffer
  const text = bytes.toString('utf8')
  if (!isUtf8(bytes)) throw refuseEntry(text, 'has a name or target that is not valid UTF-8')
  const rest = others.filter((other) => other.length > 0 && !other.equals(bytes))
  return [text, ...rest.map((other) => other.toString(isUtf8(other) ? 'utf8' : 'latin1'))]
}

function kindOf({ type }: TarHeader, name: string): ArchiveEntry['kind'] {
  switch (type) {
    case '0':
    case '7':
      // old archives have folders as files whose name ends with a slash
      return name.endsWith('/') ? 'folder' : 'file'
    case 'S':
      return 'file'
    case '1':
      return 'hard link'
    case '2':
      return 'symbolic link'
    case '3':
    case '4':
      throw refuseEntry(name, 'is a device')
    case '5':
      return 'folder'
    case '6':
      throw refuseEntry(name, 'is a FIFO')
    default:
      throw refuseEntry(name, `is of type ${JSON.stringify(type)}, which packages may not contain`)
  }
}

function sizeOf(name: string, { size }: TarHeader, { pax }: TarExtensions): number {
  const text = pax?.values.get('size')?.toString('latin1')
  const extended = text === undefined ? size : decimal(text)
  if (size === undefined || extended === undefined) throw refuseEntry(name, 'has an invalid size')
  if (extended === size || (size === 0 && extended >= headerSizeLimit)) return extended
  throw refuseEntry(name, 'has two sizes')
}

const zeros = Buffer.alloc(100)

/** Bytes after the end of a name in its field are ignored. The part after a prefix is relative. */
function checkFixedFields(name: string, { name: field, linkName, prefix }: TarHeader): void {
  if (prefix[0] !== 0 && field[0] === slash[0]) throw refuseEntry(name, 'has an absolute name behind its prefix')
  for (const bytes of [field, linkName]) {
    const end = bytes.indexOf(0)
    if (end !== -1 && bytes.compare(zeros, 0, bytes.length - end, end) !== 0)
      throw refuseEntry(name, 'has a NUL in its name or target')
  }
}
