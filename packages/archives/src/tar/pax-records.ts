import { refuseArchive } from '../refusal.ts'

/** The values of an extended header for the next entry. */
export interface PaxRecords {
  /** Unknown keys are only checked for their form, and have empty values here. */
  readonly values: ReadonlyMap<string, Buffer>
  /** GNU.sparse.offset and GNU.sparse.numbytes in turn: the only keys that may repeat. */
  readonly sparsePairs: readonly Buffer[]
}

/** Names and sizes. Their values are copied: the entry's own header may arrive after these bytes were freed. */
const neededKeys = /^(path|linkpath|size|GNU\..*)$/
const nothing = Buffer.alloc(0)

const space = 0x20
const newline = 0x0a
const equals = 0x3d
/** The length of a record, in decimal. */
const lengthPattern = /^[1-9][0-9]{0,5}$/

/** Records are `<length> <key>=<value>\n`, the length counting itself. Programs differ in what else they accept. */
export function parsePaxRecords(data: Buffer): PaxRecords {
  const values = new Map<string, Buffer>()
  const sparsePairs: Buffer[] = []
  for (let at = 0; at < data.length; ) {
    const { key, value, end } = paxRecord(data, at)
    if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') {
      if ((sparsePairs.length % 2 === 0) !== (key === 'GNU.sparse.offset'))
        throw malformed('has a sparse map out of step')
      sparsePairs.push(Buffer.from(value))
    } else if (values.has(key)) throw malformed(`has ${JSON.stringify(key.slice(0, 40))} twice`)
    else values.set(key, neededKeys.test(key) ? Buffer.from(value) : nothing)
    at = end
  }
  return { values, sparsePairs }
}

function paxRecord(data: Buffer, at: number): { key: string; value: Buffer; end: number } {
  const afterLength = data.indexOf(space, at)
  const length = afterLength === -1 ? '' : data.toString('latin1', at, afterLength)
  if (!lengthPattern.test(length)) throw malformed('has a record without a length')
  const end = at + Number(length)
  if (end > data.length || data[end - 1] !== newline) throw malformed('has a record with a wrong length')
  const afterKey = data.indexOf(equals, afterLength)
  if (afterKey === -1 || afterKey >= end || afterKey === afterLength + 1) throw malformed('has a record without a key')
  const key = data.toString('latin1', afterLength + 1, afterKey)
  if (/[\0\n]/.test(key)) throw malformed('has a record without a key')
  return { key, value: data.subarray(afterKey + 1, end - 1), end }
}

/** A whole number as these records write it. */
export const decimal = (text: string): number | undefined => (/^[0-9]{1,15}$/.test(text) ? Number(text) : undefined)

const malformed = (rule: string) => refuseArchive(`an extended header of its tar ${rule}`)
