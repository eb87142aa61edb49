import { invalid } from '@wharf/platform/api-error.ts'
import { parseWholeNumber } from '@wharf/platform/parse-whole-number.ts'
import { credentialsOf } from './credentials.ts'
import { tooLarge } from './too-large.ts'

type ReleaseReference = { readonly uuid: string } | { readonly name: string; readonly version: string }

/** The source of a package. */
export type PackageUrl =
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'release'; readonly reference: ReleaseReference }
  | { readonly kind: 'upload'; readonly fileName: string; readonly size?: number; readonly md5?: string }

/** The limit of file systems. */
const maxFileNameBytes = 255

export function parsePackageUrl(text: string, { maxBytes }: { maxBytes: number }): PackageUrl {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || !text.isWellFormed())
    throw invalid('url must not contain control characters')
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? []
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
      return { kind: 'http', url: parseHttp(text, rest) }
    case 'file':
      return { kind: 'file', path: parseFile(rest) }
    case 'release':
      return { kind: 'release', reference: parseRelease(rest) }
    case 'upload':
      return parseUpload(rest, maxBytes)
    default:
      throw invalid('url must begin with http://, https://, file:///, release:// or upload://')
  }
}

function parseHttp(text: string, rest: string): URL {
  // the WHATWG parser would correct both silently, and other programs read them differently
  if (rest.startsWith('/') || text.includes('\\'))
    throw invalid('url must contain neither a third slash nor a backslash')
  if (!URL.canParse(text)) throw invalid('url is not a valid http or https address')
  const url = new URL(text)
  credentialsOf(url)
  return url
}

/** Not by the WHATWG parser, which drops dot segments and turns `C|` into a drive. */
function parseFile(rest: string): string {
  if (!rest.startsWith('/')) throw invalid('url of a file must be file:///path, without a host')
  if (/[?#\\]/.test(rest)) throw invalid('url of a file may contain ?, # and \\ only as %3F, %23 and %5C')
  if (/%2f/i.test(rest)) throw invalid('url of a file must not contain %2F')
  const path = decode(rest)
  // NUL would end the path for the operating system
  if (/\p{Cc}/u.test(path)) throw invalid('url must not contain control characters')
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => ['', '.', '..'].includes(segment)))
    throw invalid('url of a file must contain no . or .., no // and no / at its end')
  return path
}

/** Not by the WHATWG parser, which would read the name as a user. A name may contain @ itself. */
function parseRelease(rest: string): ReleaseReference {
  const at = rest.lastIndexOf('@')
  if (at > 0 && at < rest.length - 1) return { name: decode(rest.slice(0, at)), version: decode(rest.slice(at + 1)) }
  const uuid = rest.replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{32}$/.test(uuid)) return { uuid }
  throw invalid(
    'url of a release must be release://<uuid> or release://<name>@<version>, such as release://hello@1.1.0',
  )
}

function parseUpload(rest: string, maxBytes: number): PackageUrl {
  const [name = '', ...queries] = rest.split('?')
  const query = queries.join('?')
  const known: Record<string, string> = {}
  for (const [key, value] of new URLSearchParams(query)) {
    if (key !== 'size' && key !== 'md5') throw invalid('url of an upload takes only size and md5 after the ?')
    if (key in known) throw invalid(`url names ${key} more than once`)
    known[key] = value
  }
  return {
    kind: 'upload',
    fileName: checkedFileName(decode(name)),
    ...(known.size === undefined ? {} : { size: checkedSize(known.size, maxBytes) }),
    ...(known.md5 === undefined ? {} : { md5: checkedMd5(known.md5) }),
  }
}

function checkedFileName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw invalid('url of an upload must name a file: upload://name, without slashes and control characters')
  if (Buffer.byteLength(name) > maxFileNameBytes)
    throw invalid(`url names a file whose name is longer than ${maxFileNameBytes} bytes`)
  return name
}

function checkedSize(text: string, maxBytes: number): number {
  const size = parseWholeNumber(text)
  if (size === undefined) throw invalid('size in url must be a whole number of bytes, without leading zeros')
  if (size > maxBytes) throw tooLarge(`the size in url is ${text} bytes`, maxBytes)
  return size
}

function checkedMd5(text: string): string {
  if (!/^[0-9a-f]{32}$/i.test(text)) throw invalid('md5 in url must be 32 hex digits')
  return text.toLowerCase()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('url contains a % that does not start an encoded UTF-8 character: write a percent sign as %25')
  }
}
