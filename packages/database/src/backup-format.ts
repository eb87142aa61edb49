import { crc32 } from 'node:zlib'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import type { Engine } from './database.ts'

/**
 * A backup is a gzip file of lines of JSON, the same whichever engine wrote it:
 *
 *     {"format":"wharf-backup", …}                           BackupHeader
 *     {"table":"accounts","columns":["uuid","name", …]}      for each table, after those that it refers to
 *     ["5f0c…","admin", …]                                   its rows; bytes are {"base64": …}
 *     {"rows":7,"sha256":"…"}                                BackupEnd
 *
 * The last line is a gzip member of its own, stored without compression in one fixed form. Its checksum covers every
 * byte of the file before it, so nothing in the file can change unnoticed and the check need not unpack anything.
 */
export interface BackupHeader {
  format: 'wharf-backup'
  formatVersion: number
  createdAt: string
  /** Of the program that wrote it. */
  version: string
  engine: Engine
  /** Of the master key that opens its secrets. The key itself is never in a backup. */
  keyFingerprint: string
  migrations: string[]
  /** The number of the last event, so that numbers which clients have seen are not given out again. */
  lastEvent: number
}

/** The rows that follow are of this table. */
export interface TableLine {
  table: string
  columns: string[]
}

export interface BackupEnd {
  rows: number
  sha256: string
}

export const formatName = 'wharf-backup'
export const formatVersion = 1

/** A refusal that an operator can act on; its message is one line. */
export class BackupRefused extends OperatorError {
  override name = 'BackupRefused'
}

export type Value = string | number | null | { base64: string }

export const toValue = (stored: unknown): Value =>
  stored instanceof Uint8Array ? { base64: Buffer.from(stored).toString('base64') } : (stored as string | number | null)

export const fromValue = (value: Value): string | number | null | Buffer =>
  value !== null && typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value

// RFC 1952: magic, deflate, no flags, no time, no hints, unknown system
const memberHeader = Buffer.from('1f8b08000000000000ff', 'hex')
const blockHeaderBytes = 5
const trailerBytes = 8
const minEndBytes = memberHeader.length + blockHeaderBytes + trailerBytes
export const maxEndBytes = minEndBytes + 200

/** The last line as a gzip member with one stored block (RFC 1951, 3.2.4). */
export function endMember({ rows, sha256 }: BackupEnd): Buffer {
  const line = Buffer.from(`${JSON.stringify({ rows, sha256 })}\n`)
  const block = Buffer.alloc(blockHeaderBytes)
  block.writeUInt8(1)
  block.writeUInt16LE(line.length, 1)
  block.writeUInt16LE(0xffff - line.length, 3)
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(crc32(line))
  trailer.writeUInt32LE(line.length, 4)
  return Buffer.concat([memberHeader, block, line, trailer])
}

/** What `endMember` wrote at the very end of these bytes, or undefined when they end in anything else. */
export function readEnd(tail: Buffer): { end: BackupEnd; bytes: number } | undefined {
  if (tail.length < minEndBytes) return undefined
  const lineBytes = tail.readUInt32LE(tail.length - 4)
  const bytes = minEndBytes + lineBytes
  if (bytes > tail.length) return undefined
  const member = tail.subarray(tail.length - bytes)
  try {
    const start = memberHeader.length + blockHeaderBytes
    const end = JSON.parse(member.toString('utf8', start, start + lineBytes)) as BackupEnd
    return endMember(end).equals(member) ? { end, bytes } : undefined
  } catch {
    return undefined
  }
}
