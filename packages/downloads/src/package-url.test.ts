import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import fc from 'fast-check'
import { maskedUrl } from './masked-url.ts'
import { type PackageUrl, parsePackageUrl } from './package-url.ts'

const limits = { maxBytes: 1000 }
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

test('parses every kind of address', () => {
  const rows: [text: string, read: PackageUrl][] = [
    ['http://h/a.tar', { kind: 'http', url: new URL('http://h/a.tar') }],
    ['HTTPS://u:p%40@h:8443/a?b=c', { kind: 'http', url: new URL('https://u:p%40@h:8443/a?b=c') }],
    ['https://h/with blank', { kind: 'http', url: new URL('https://h/with%20blank') }],
    ['file:///srv/a.tar', { kind: 'file', path: '/srv/a.tar' }],
    ['FILE:///srv/a%20b%25%3F%5C.tar', { kind: 'file', path: '/srv/a b%?\\.tar' }],
    ['file:///srv/C|/..a/中', { kind: 'file', path: '/srv/C|/..a/中' }],
    [`release://${md5}`, { kind: 'release', reference: { uuid: md5 } }],
    [`release://D41D8CD9-8F00-B204-E980-0998ECF8427E`, { kind: 'release', reference: { uuid: md5 } }],
    ['release://@team/web@1.0.0+b', { kind: 'release', reference: { name: '@team/web', version: '1.0.0+b' } }],
    ['Release://a%40b c@1%402', { kind: 'release', reference: { name: 'a@b c', version: '1@2' } }],
    ['upload://a.tar', { kind: 'upload', fileName: 'a.tar' }],
    ['upload://my file (1)#2.tar.gz', { kind: 'upload', fileName: 'my file (1)#2.tar.gz' }],
    ['upload://%E4%B8%AD%25.zip', { kind: 'upload', fileName: '中%.zip' }],
    ['upload://a.tar?size=1000', { kind: 'upload', fileName: 'a.tar', size: 1000 }],
    [`upload://a.tar?md5=${md5.toUpperCase()}&size=0`, { kind: 'upload', fileName: 'a.tar', size: 0, md5 }],
    [`upload://-rf@x?size=7`, { kind: 'upload', fileName: '-rf@x', size: 7 }],
    [`upload://${'x'.repeat(255)}`, { kind: 'upload', fileName: 'x'.repeat(255) }],
  ]
  for (const [text, read] of rows) assert.deepEqual(parsePackageUrl(text, limits), read, text)
})

test('refuses an invalid address, and names the rule', () => {
  const rows: [text: string, rule: RegExp, status?: number][] = [
    ['', /must begin with/],
    ['a.tar', /must begin with/],
    ['/srv/a.tar', /must begin with/],
    ['ftp://h/a', /must begin with/],
    ['release://', /release:\/\/<name>@<version>/],
    ['release://web', /release:\/\/<name>@<version>/],
    ['release://@1.0.0', /release:\/\/<name>@<version>/],
    ['release://web@', /release:\/\/<name>@<version>/],
    [`release://${md5}/`, /release:\/\/<name>@<version>/],
    ['release://web@1%', /%25/],
    ['javascript:alert(1)', /must begin with/],
    ['data:,x', /must begin with/],
    ['gopher://127.0.0.1:6379/_x', /must begin with/],
    ['http:/h/a', /must begin with/],
    ['http:h/a', /must begin with/],
    [' http://h/a', /must begin with/],
    ['http:///h/a', /third slash/],
    ['http://good\\@bad/', /backslash/],
    ['http:\\\\h\\a', /must begin with/],
    ['http://h/a\n', /control/],
    ['ht\ttp://h/a', /control/],
    ['http://h/\ud800', /control/],
    ['http://', /not a valid/],
    ['http://h:65536/', /not a valid/],
    ['http://1.2.3.4.5/', /not a valid/],
    ['http://[::1/', /not a valid/],
    ['http://[fe80::1%25lo]/', /not a valid/],
    ['http://a b/', /not a valid/],
    ['http://u%zz:p@h/', /percent-encoded/],
    ['http://u%3A:p@h/', /colon/],
    ['http://u:p%0d%0aX@h/', /control/],
    ['file:/srv/a', /must begin with/],
    ['file://srv/a', /without a host/],
    ['file://localhost/srv/a', /without a host/],
    ['file:///', /no \/ at its end/],
    ['file:///srv/', /no \/ at its end/],
    ['file:///srv//a', /no \/\//],
    ['file:////srv/a', /no \/\//],
    ['file:///srv/../etc/passwd', /no \. or \.\./],
    ['file:///srv/./a', /no \. or \.\./],
    ['file:///srv/%2e%2e/etc/passwd', /no \. or \.\./],
    ['file:///srv/.%2E/x', /no \. or \.\./],
    ['file:///srv/..%2fetc', /%2F/],
    ['file:///srv/%2Fetc', /%2F/],
    ['file:///srv/a%00.tar', /control/],
    ['file:///srv/a%0a', /control/],
    ['file:///srv\\a', /%5C/],
    ['file:///srv/a?x', /%3F/],
    ['file:///srv/a#x', /%23/],
    ['file:///srv/%ff', /percent sign/],
    ['file:///srv/100%', /percent sign/],
    ['upload://', /must name a file/],
    ['upload://?size=1', /must name a file/],
    ['upload://.', /must name a file/],
    ['upload://..', /must name a file/],
    ['upload://a/b', /without slashes/],
    ['upload:///a', /without slashes/],
    ['upload://a%2Fb', /without slashes/],
    ['upload://a\\b', /without slashes/],
    ['upload://a%00', /without slashes and control/],
    ['upload://a%E2%80%A8', /without slashes and control/],
    ['upload://100%', /percent sign/],
    [`upload://${'x'.repeat(256)}`, /longer than 255 bytes/],
    [`upload://${'中'.repeat(86)}`, /longer than 255 bytes/],
    ['upload://a?size=', /whole number/],
    ['upload://a?size=-1', /whole number/],
    ['upload://a?size=1.5', /whole number/],
    ['upload://a?size=0x10', /whole number/],
    ['upload://a?size=1e2', /whole number/],
    ['upload://a?size=+5', /whole number/],
    [`upload://a?size=${'0'.repeat(20)}`, /without leading zeros/],
    ['upload://a?size=007', /without leading zeros/],
    ['upload://a?size=1001', /at most 1000 bytes/, 413],
    ['upload://a?size=99999999999999999999', /at most 1000 bytes/, 413],
    [`upload://a?size=1${'0'.repeat(30)}`, /at most 1000 bytes/, 413],
    ['upload://a?size=1&size=1', /more than once/],
    ['upload://a?md5=', /32 hex/],
    [`upload://a?md5=${md5}0`, /32 hex/],
    [`upload://a?md5=${md5.replace('d', 'g')}`, /32 hex/],
    ['upload://a?sha1=x', /only size and md5/],
    ['upload://a?__proto__=x', /only size and md5/],
    ['upload://a?size=1?md5=2', /whole number/],
  ]
  for (const [text, rule, status = 400] of rows) {
    assert.throws(() => parsePackageUrl(text, limits), { code: 'SYS.1007', message: rule, status }, text)
  }
})

test('any text is an address or an ApiError, and a path never contains dot segments', () => {
  const scheme = fc.constantFrom('http://', 'https://', 'file://', 'file:///', 'upload://', '')
  const part = fc.oneof(fc.string(), fc.constantFrom('..', '/', '%2e', '%2F', '%00', '?size=1', '@', '\\', '%'))
  fc.assert(
    fc.property(fc.tuple(scheme, part, part, part), (parts) => {
      try {
        const read = parsePackageUrl(parts.join(''), limits)
        if (read.kind === 'file') assert.doesNotMatch(read.path, /(^|\/)\.\.?(\/|$)|\0/)
        if (read.kind === 'upload') assert.doesNotMatch(read.fileName, /\/|\0/)
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
      }
    }),
  )
})

test('a masked address shows no user, password, query and fragment', () => {
  const rows: [text: string, shown: string][] = [
    ['https://u:secret@h:8443/a/b.tar?token=secret#secret', 'https://h:8443/a/b.tar'],
    ['http://secret@h', 'http://h/'],
    ['ftp://u:secret@h/a', 'ftp://h/a'],
    ['upload://a b.tar?size=1', 'upload://a b.tar'],
    ['upload://a@b', 'upload://a@b'],
    ['file:///srv/a?secret', 'file:///srv/a'],
    ['http://u:secret/word@h/', 'http:…'],
    ['http://u:se?cret@h/', 'http:…'],
    ['secret', '…'],
    ['', '…'],
    [`http://h/${'x'.repeat(300)}`, `http://h/${'x'.repeat(191)}…`],
    ['upload://a\nb', 'upload://a\u{fffd}b'],
  ]
  for (const [text, shown] of rows) assert.equal(maskedUrl(text), shown, text)
})
