import type { IncomingHttpHeaders } from 'node:http'

/** What a download is now: by these a client knows whether it may go on with what it has. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string
  /** Milliseconds. */
  readonly modified: number
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** RFC 9110, 13.2.2, as far as downloads go: `stale` is 412, `same` is 304. */
export function precondition(headers: IncomingHttpHeaders, now: Validators): 'stale' | 'same' | 'none' {
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && !lists(ifMatch, now.etag)) return 'stale'
  const unmodifiedSince = dateOf(headers['if-unmodified-since'])
  if (ifMatch === undefined && unmodifiedSince !== undefined && seconds(now.modified) > seconds(unmodifiedSince))
    return 'stale'
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return lists(ifNoneMatch.replaceAll('W/', ''), now.etag) ? 'same' : 'none'
  const modifiedSince = dateOf(headers['if-modified-since'])
  return modifiedSince !== undefined && seconds(now.modified) <= seconds(modifiedSince) ? 'same' : 'none'
}

/** RFC 9110, 13.1.5: a range is of use only when the rest is of the same image. A weak tag proves nothing. */
export function rangeHolds(ifRange: string | undefined, now: Validators): boolean {
  if (ifRange === undefined) return true
  const text = ifRange.trim()
  if (text.startsWith('"') || text.startsWith('W/')) return text === now.etag
  const date = dateOf(text)
  return date !== undefined && seconds(date) === seconds(now.modified)
}

const lists = (header: string, etag: string): boolean =>
  header.split(',').some((one) => one.trim() === '*' || one.trim() === etag)

function dateOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
