import { tarBlockBytes } from './tar-header.ts'

export interface WrittenEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'symbolic link'
  readonly mode: number
  readonly bytes: number
  readonly changed: Date
  readonly target: string
}

const types = { file: '0', folder: '5', 'symbolic link': '2' }
const nameBytes = 100
const maxHeaderBytes = 8 ** 11 - 1
/** A header cannot contain times before 1970. */
const seconds = (time: Date): number => Math.max(0, Math.floor(time.getTime() / 1000) || 0)

/** The blocks before an entry's data: its header, and before that an extended one for what does not fit. */
export function tarHeaderOf(entry: WrittenEntry): Buffer {
  const extended = [
    fits(entry.name) ? '' : record('path', entry.name),
    fits(entry.target) ? '' : record('linkpath', entry.target),
    entry.bytes <= maxHeaderBytes ? '' : record('size', String(entry.bytes)),
  ].join('')
  const own = block(entry.name, types[entry.type], entry)
  if (extended === '') return own
  const data = Buffer.from(extended)
  const before = block('PaxHeader', 'x', { ...entry, bytes: data.length, target: '', mode: 0o644 })
  return Buffer.concat([before, data, tarPadding(data.length), own])
}

export const tarPadding = (bytes: number): Buffer =>
  Buffer.alloc((tarBlockBytes - (bytes % tarBlockBytes)) % tarBlockBytes)
export const tarEnd = Buffer.alloc(2 * tarBlockBytes)

const fits = (text: string): boolean => Buffer.byteLength(text) <= nameBytes && /^[\x20-\x7e]*$/.test(text)

/** The length of a record counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

type Fields = Pick<WrittenEntry, 'mode' | 'bytes' | 'changed' | 'target'>

function block(name: string, type: string, { mode, bytes, changed, target }: Fields): Buffer {
  const header = Buffer.alloc(tarBlockBytes)
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
  Buffer.from(name).copy(header, 0, 0, nameBytes)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes <= maxHeaderBytes ? bytes : 0, 124, 12)
  octal(Math.min(seconds(changed), maxHeaderBytes), 136, 12)
  header.write('        ', 148, 'latin1')
  header.write(type, 156, 'latin1')
  Buffer.from(target).copy(header, 157, 0, nameBytes)
  header.write('ustar\x0000', 257, 'latin1')
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    8,
  )
  return header
}
