import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { parseWholeNumber } from '@wharf/platform/parse-whole-number.ts'
import { type Checksum, checksumAlgorithms, readChecksum } from './checksum.ts'

/** The headers of tus 1.0.0. */

export const tusVersion = '1.0.0'
const sliceType = 'application/offset+octet-stream'

const preflightSeconds = 86_400

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
  'X-Request-ID',
  'X-Requested-With',
]
const answerHeaders = [
  'Retry-After',
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id',
]

/** On every answer. A page of any origin may read them, because the URL is the credential and cookies are not used. */
export const commonHeaders = {
  'tus-resumable': tusVersion,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': answerHeaders.join(', '),
  'cache-control': 'no-store',
}

/** For OPTIONS, which a browser sends before a page of another origin may call. */
export const optionsHeaders = (methods: readonly string[], maxSize: number) => ({
  'tus-version': tusVersion,
  'tus-extension': 'creation-defer-length,expiration,checksum,termination',
  'tus-checksum-algorithm': checksumAlgorithms.join(','),
  'tus-max-size': String(maxSize),
  allow: methods.join(', '),
  'access-control-allow-methods': [...methods, 'POST'].join(', '),
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-max-age': String(preflightSeconds),
})

export interface SliceHeaders {
  readonly offset: number
  readonly bytes: number | undefined
  readonly uploadLength: number | undefined
  readonly checksum: Checksum | undefined
}

export function readSliceHeaders(headers: IncomingHttpHeaders): SliceHeaders {
  const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
  if (bytes !== 0) refuseOtherTypes(headers)
  const offset = byteHeader(headers, 'Upload-Offset')
  if (offset === undefined) throw invalid('the header Upload-Offset is missing')
  const checksum = headerOf(headers, 'Upload-Checksum')
  return {
    offset,
    bytes,
    uploadLength: byteHeader(headers, 'Upload-Length'),
    checksum: checksum === undefined ? undefined : readChecksum(checksum),
  }
}

function refuseOtherTypes({
  'content-type': type = '',
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders) {
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== sliceType)
    throw new ApiError('SYS.1007', `the Content-Type must be ${sliceType}`, { status: 415 })
  if (encoding !== 'identity') throw new ApiError('SYS.1007', 'a slice may not be compressed', { status: 415 })
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined =>
  headers[name.toLowerCase()] as string | undefined

function byteHeader(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headerOf(headers, name)
  if (value === undefined) return undefined
  const bytes = parseWholeNumber(value)
  if (bytes === undefined || !Number.isSafeInteger(bytes))
    throw invalid(`${name} must be a whole number of bytes up to ${Number.MAX_SAFE_INTEGER}, without leading zeros`)
  return bytes
}
