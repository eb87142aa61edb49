import type { IncomingHttpHeaders } from 'node:http'

/** The current validators of a file, by which a client decides whether it can resume its download. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string
  /** Milliseconds. */
  readonly modified: number
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** RFC 9110, 13.2.2, for downloads: `stale` is 412, `same` is 304. */
export function precondition(headers: IncomingHttpHeaders, current: Validators): 'stale' | 'same' | 'none' {
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && !lists(ifMatch, current.etag)) return 'stale'
  const unmodifiedSince = dateOf(headers['if-unmodified-since'])
  if (ifMatch === undefined && unmodifiedSince !== undefined && seconds(current.modified) > seconds(unmodifiedSince))
    return 'stale'
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return lists(ifNoneMatch.replaceAll('W/', ''), current.etag) ? 'same' : 'none'
  const modifiedSince = dateOf(headers['if-modified-since'])
  return modifiedSince !== undefined && seconds(current.modified) <= seconds(modifiedSince) ? 'same' : 'none'
}

/** RFC 9110, 13.1.5: a range applies only when the file is unchanged. A weak tag does not match. */
export function isRangeApplicable(ifRange: string | undefined, current: Validators): boolean {
  if (ifRange === undefined) return true
  const text = ifRange.trim()
  if (text.startsWith('"') || text.startsWith('W/')) return text === current.etag
  const date = dateOf(text)
  return date !== undefined && seconds(date) === seconds(current.modified)
}

const lists = (header: string, etag: string): boolean =>
  header.split(',').some((entry) => entry.trim() === '*' || entry.trim() === etag)

function dateOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
