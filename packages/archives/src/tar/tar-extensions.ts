import { refuseArchive } from '../refusal.ts'
import { type PaxRecords, parsePaxRecords } from './pax-records.ts'

/** The blocks before the header of an entry that belong to it: GNU's long names, or a list of keys and values. */
export interface TarExtensions {
  longName?: Buffer
  longLink?: Buffer
  pax?: PaxRecords
}

const keys: Record<string, keyof TarExtensions | undefined> = { L: 'longName', K: 'longLink', x: 'pax' }
const globalType = 'g'

export const isExtension = (type: string): boolean => type === globalType || keys[type] !== undefined
export const isExtended = (extensions: TarExtensions): boolean => Object.keys(extensions).length > 0

/** Adds one. Two names for an entry are refused: programs differ in which one counts. */
export function extend(extensions: TarExtensions, type: string, data: Buffer): void {
  const key = keys[type]
  if (key === undefined) checkGlobal(data, extensions)
  else add(extensions, key, data)
}

function add(extensions: TarExtensions, key: keyof TarExtensions, data: Buffer): void {
  if (extensions[key] !== undefined) throw refuseArchive('one entry of its tar has two extended headers')
  if (key === 'pax') extensions.pax = parsePaxRecords(data)
  // a copy: the entry's own header may arrive after these bytes were freed
  else extensions[key] = Buffer.from(withoutEnd(data))
  const values = extensions.pax?.values
  if ((extensions.longName && values?.has('path')) || (extensions.longLink && values?.has('linkpath')))
    throw refuseArchive('one entry of its tar has two long names')
  if (['GNU.dumpdir', 'GNU.volume.offset', 'GNU.volume.size'].some((name) => values?.has(name)))
    throw refuseArchive('its tar is part of an incremental or divided backup')
}

/** A header for all entries may contain a comment and the like. Programs differ in reading names and sizes in it. */
function checkGlobal(data: Buffer, extensions: TarExtensions): void {
  if (isExtended(extensions)) throw refuseArchive('a global header of its tar is between an entry and its own')
  const { values, sparsePairs } = parsePaxRecords(data)
  if (sparsePairs.length > 0 || [...values.keys()].some((key) => /^(path|linkpath|size|GNU\.sparse\..*)$/.test(key)))
    throw refuseArchive('a global header of its tar names or sizes files')
}

/** GNU writes the NUL that ends a name with it. */
function withoutEnd(data: Buffer): Buffer {
  let end = data.length
  while (end > 0 && data[end - 1] === 0) end -= 1
  return data.subarray(0, end)
}
