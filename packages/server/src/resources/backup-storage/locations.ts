import { fileURLToPath } from 'node:url'
import { invalid } from '@wharf/platform/api-error.ts'

/** The location in the url of a storage. It never contains credentials, because answers contain the url. */

export interface FolderLocation {
  readonly root: string
}

export interface SftpLocation {
  readonly address: string
  readonly port: number
  readonly root: string
}

export interface S3Location {
  /** Undefined for Amazon's own. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** The prefix of all object names, without a slash at either end. */
  readonly prefix: string
  /** The bucket is in the path, not in the host name. */
  readonly pathStyle: boolean
}

const defaultRegion = 'us-east-1'
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/

export function folderLocation(given: string): FolderLocation {
  const url = parse(given, ['file:'], 'with type folder the url is file:///path')
  refuseQuery(url)
  if (url.host !== '') throw invalid('the url names a folder of this node, so it has three slashes: file:///path')
  const root = pathOf(() => fileURLToPath(url))
  if (root === '') throw invalid('the url must name a folder, and not the root of the file system')
  return { root }
}

export function sftpLocation(given: string): SftpLocation {
  const url = parse(given, ['sftp:'], 'with type sftp the url is sftp://host:port/path')
  refuseQuery(url)
  const root = pathOf(() => decodeURIComponent(url.pathname)) || '/'
  return { address: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 22 : Number(url.port), root }
}

/** `region` takes precedence over the one in the url. */
export function s3Location(given: string, region?: string): S3Location {
  const form = 'with type s3 the url is https://endpoint/bucket/prefix or s3://bucket/prefix?endpoint=…&region=…'
  const url = parse(given, ['s3:', 'https:', 'http:'], form)
  if (url.protocol === 's3:') {
    const { endpoint, region: regionInUrl } = s3Options(url)
    return s3(url.hostname, url.pathname, endpoint && endpointOf(endpoint), region ?? regionInUrl)
  }
  refuseQuery(url)
  const [, bucket = '', ...prefix] = url.pathname.split('/')
  if (bucket === '') throw invalid(`the url names no bucket; ${form}`)
  return s3(bucket, prefix.join('/'), url.origin, region)
}

function s3(bucket: string, path: string, endpoint: string | undefined, region: string | undefined): S3Location {
  if (!bucketForm.test(bucket)) throw invalid('the bucket in the url has 3 to 63 letters, digits and . _ -')
  const prefix = pathOf(() => decodeURIComponent(path)).replace(/^\//, '')
  return { endpoint, region: region ?? defaultRegion, bucket, prefix, pathStyle: endpoint !== undefined }
}

/** A gateway may have a path, which the bucket follows. */
function endpointOf(given: string): string {
  const url = parse(given, ['https:', 'http:'], 'the endpoint in the url begins with https:// or http://')
  refuseQuery(url)
  return url.href.replace(/\/+$/, '')
}

function s3Options(url: URL): { endpoint?: string; region?: string } {
  const options = new Map(url.searchParams)
  const unknown = [...options.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw invalid(`the url may contain endpoint and region after the ?, but not ${unknown}`)
  if (url.hash !== '') throw invalid('the url may not have a #')
  return Object.fromEntries(options)
}

function parse(given: string, protocols: readonly string[], form: string): URL {
  const url = URL.parse(given)
  if (url === null || !protocols.includes(url.protocol)) throw invalid(form)
  if (url.protocol !== 'file:' && url.hostname === '') throw invalid(form)
  if (url.username !== '' || url.password !== '')
    throw invalid('the url may not contain a user or a password, because answers contain it; use their own fields')
  return url
}

function refuseQuery(url: URL): void {
  if (url.search !== '' || url.hash !== '') throw invalid('the url may not have a ? or a #')
}

/** Without a slash at the end. */
function pathOf(decode: () => string): string {
  const path = decoded(decode).replace(/\/+$/, '')
  if (/[\u0000-\u001f\u007f]/.test(path) || path.includes('//'))
    throw invalid('the path in the url may not contain // or control characters')
  return path
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw invalid('the path in the url cannot be decoded')
  }
}
